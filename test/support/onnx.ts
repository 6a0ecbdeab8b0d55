/**
 * Writes small ONNX graphs: the protocol buffers of onnx.proto that a graph of a few nodes needs, so that the real code
 * that loads models has some to load.
 */

/** A field of a protocol buffer: its number and its value; text and bytes by length, whole numbers as varints. */
type Field = [number, string | Uint8Array | number | bigint];

function varint(value: number | bigint): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function message(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number' || typeof value === 'bigint') return [varint(number << 3), varint(value)];
      const bytes = Buffer.from(value as Uint8Array);
      return [varint((number << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

const FLOAT = 1;
const INT64 = 7;
const BOOL = 9;
const KINDS = { float: FLOAT, int64: INT64, bool: BOOL } as const;
type Kind = keyof typeof KINDS;

/** A number, or a name for one that is not known before. */
type Dimension = number | string;

export interface Node {
  op: string;
  in: string[];
  out: string[];
  /** Whole numbers, or lists of them. */
  with?: Record<string, number | number[]>;
}

export interface Graph {
  inputs: Record<string, [Kind, Dimension[]]>;
  outputs: Record<string, [Kind, Dimension[]]>;
  constants: Record<string, { dims: number[]; floats?: ArrayLike<number>; ints?: number[] }>;
  nodes: Node[];
}

/** The graph as the bytes of an .onnx file of opset 17. */
export function onnx({ inputs, outputs, constants, nodes }: Graph): Buffer {
  const named = (values: Graph['inputs'], field: number): Field[] =>
    Object.entries(values).map(([name, [kind, dims]]) => {
      const shape = dims.map((dim): Field => [1, message(typeof dim === 'number' ? [1, dim] : [2, dim])]);
      const tensor = message([1, KINDS[kind]], [2, message(...shape)]);
      return [field, message([1, name], [2, message([1, tensor])])];
    });
  const initializers = Object.entries(constants).map(([name, { dims, floats, ints }]): Field => {
    const data = floats ? Float32Array.from(floats) : BigInt64Array.from(ints ?? [], BigInt);
    const raw = Buffer.from(data.buffer);
    return [5, message(...dims.map((dim): Field => [1, dim]), [2, floats ? FLOAT : INT64], [8, name], [9, raw])];
  });
  const graph = message(
    ...nodes.map(({ op, in: from, out, with: attributes = {} }, i): Field => {
      const each = (names: string[], field: number) => names.map((name): Field => [field, name]);
      const given = Object.entries(attributes).map(([name, value]): Field => {
        const isList = typeof value !== 'number';
        const values: Field[] = isList ? value.map((one): Field => [8, one]) : [[3, value]];
        return [5, message([1, name], ...values, [20, isList ? 7 : 2])];
      });
      return [1, message(...each(from, 1), ...each(out, 2), [3, `node${i}`], [4, op], ...given)];
    }),
    [2, 'tiny'],
    ...initializers,
    ...named(inputs, 11),
    ...named(outputs, 12),
  );
  return message([1, 8], [2, 'tests'], [7, graph], [8, message([1, ''], [2, 17])]);
}
