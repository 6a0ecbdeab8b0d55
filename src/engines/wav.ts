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

/** The sound of a file of the kind above; undefined for any other. */
export function readWav(file: Uint8Array): { pcm: Int16Array; rate: number } | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length < 44 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 36, 40) !== 'data')
    return undefined;
  if (bytes.readUInt16LE(20) !== 1 || bytes.readUInt16LE(22) !== 1 || bytes.readUInt16LE(34) !== 16) return undefined;
  const length = Math.min(bytes.readUInt32LE(40), bytes.length - 44) >> 1;
  // Copied: the numbers need not lie at an even place.
  return {
    pcm: new Int16Array(Uint8Array.from(bytes.subarray(44, 44 + length * 2)).buffer),
    rate: bytes.readUInt32LE(24),
  };
}
