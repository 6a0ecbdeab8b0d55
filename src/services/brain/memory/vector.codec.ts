/**
 * Vectors of an embedding model as they are stored and compared: of unit length, a sign per dimension for the scan, a
 * byte per dimension for the ranking. It calls no model and no database.
 */
import { termHash } from '../../../text/terms.ts';

/** Models give a few hundred to a few thousand dimensions; an index row holds the signs of these. */
const MAX_DIMENSIONS = 8_192;
const STEPS = 127;
const SCALE_BYTES = 4;

/** A text's place in the space of one model. */
export interface Vector {
  /** Vectors are comparable within one space only: one model, one length. */
  space: number;
  /** The vector, scaled to length 1. */
  unit: Float32Array;
}

/** What a model answered as a vector of length 1. Throws plainly when it is none. */
export function vectorOf(model: string, values: readonly number[]): Vector {
  const length = Math.hypot(...values);
  if (!(length > 0 && length < Infinity) || values.length > MAX_DIMENSIONS) {
    throw new Error(`the embedding model gave ${values.length} dimensions of length ${length}`);
  }
  const unit = Float32Array.from(values, (value) => value / length);
  return { space: termHash(`${model}/${values.length}`), unit };
}

/** A 1 for each dimension above zero, as PostgreSQL reads a bit string. */
export function signs(unit: Float32Array): string {
  let bits = '';
  for (const value of unit) bits += value > 0 ? '1' : '0';
  return bits;
}

/** A vector in a quarter of its size; a similarity changes by less than .01. */
export function pack(unit: Float32Array): Buffer {
  const scale = unit.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / STEPS;
  const packed = Buffer.alloc(SCALE_BYTES + unit.length);
  packed.writeFloatLE(scale, 0);
  unit.forEach((value, i) => void packed.writeInt8(Math.round(value / scale), SCALE_BYTES + i));
  return packed;
}

/** Cosine similarity of a vector with a packed one of the same space. */
export function similarity(unit: Float32Array, packed: Buffer): number {
  const steps = new Int8Array(packed.buffer, packed.byteOffset + SCALE_BYTES, packed.length - SCALE_BYTES);
  let sum = 0;
  for (let i = 0; i < steps.length; i += 1) sum += unit[i]! * steps[i]!;
  return sum * packed.readFloatLE(0);
}
