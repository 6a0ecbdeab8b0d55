/** The plainest sound file. */

/** 16-bit mono PCM as a WAV file: made here and not by the codec, whose native code stays out of the web process. */
export function wavFile(pieces: readonly Int16Array[], rate: number): Buffer {
  const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, ...pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))]);
}
