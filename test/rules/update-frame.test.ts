/** One update for many sockets: every viewer gets whole frames with the id of its own operation, however slow another is. */
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { UpdateFrame } from '../../src/services/live/transport/update-frame.codec.ts';

/** A connection whose other side may stop reading: as with a socket, what was not taken lies in the memory of its writer. */
class Connection extends Duplex {
  readonly #taken: Buffer[] = [];
  #isReading: boolean;
  #resume: (() => void) | undefined;

  constructor(isReading = true) {
    super({ highWaterMark: 1 });
    this.#isReading = isReading;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const take = (): void => {
      this.#taken.push(Buffer.from(chunk));
      done();
    };
    if (this.#isReading) take();
    else this.#resume = take;
  }

  stopReading(): void {
    this.#isReading = false;
  }

  async readOn(): Promise<void> {
    this.#isReading = true;
    this.#resume?.();
    while (this.writableLength > 0) await new Promise(setImmediate);
  }

  /** The text messages that came, by RFC 6455; of other frames their code. */
  get messages(): (string | number)[] {
    const messages: (string | number)[] = [];
    let rest = Buffer.concat(this.#taken);
    while (rest.length > 0) {
      const short = rest[1]!;
      const start = short < 126 ? 2 : short === 126 ? 4 : 10;
      const length = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
      expect(rest.length).toBeGreaterThanOrEqual(start + length);
      messages.push(rest[0] === 0x81 ? rest.toString('utf8', start, start + length) : rest[0]!);
      rest = rest.subarray(start + length);
    }
    return messages;
  }
}

const head = (id: string): Buffer => Buffer.from(`{"id":"${id}"`);
const update = (text: string): UpdateFrame => new UpdateFrame(Buffer.from(`,"payload":"${text}"}`));
const shown = (id: string, text: string): string => `{"id":"${id}","payload":"${text}"}`;

describe('a frame of an update', () => {
  test.each([0, 101, 102, 103, 65_511, 65_512, 65_513, 200_000])(
    'is whole with %i characters, by whatever ids it goes to',
    (characters) => {
      const text = 'x'.repeat(characters);
      const frame = update(text);
      for (const id of ['1', '2', '12', 'é', '3', 'f3b5cf2e-3f0b-4a05-a1b5-77e1f7f0c6a1', '1']) {
        const connection = new Connection();
        frame.write(connection, head(id));
        expect(connection.messages).toEqual([shown(id, text)]);
      }
    },
  );

  test('keeps its id in the memory of a viewer that does not read, while others are written to', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const connections = ids.map((_, index) => new Connection(index % 2 === 1));
    const texts = ['first', 'second', 'third'];
    for (const text of texts) {
      const frame = update(text);
      for (const [index, connection] of connections.entries()) frame.write(connection, head(ids[index]!));
    }
    for (const connection of connections) await connection.readOn();
    for (const [index, { messages }] of connections.entries()) {
      expect(messages).toEqual(texts.map((text) => shown(ids[index]!, text)));
    }
  });

  test('goes out behind what was written before it, and before what is written after it', async () => {
    const PING = 0x89;
    const connection = new Connection();
    update('at once').write(connection, head('a'));
    connection.write(Buffer.from([PING, 0]));
    connection.stopReading();
    update('waits').write(connection, head('a'));
    connection.write(Buffer.from([PING, 0]));
    const last = update('last');
    last.write(connection, head('a'));
    last.write(connection, head('other'));
    connection.write(Buffer.from([PING, 0]));
    await connection.readOn();
    const expected = [
      shown('a', 'at once'),
      PING,
      shown('a', 'waits'),
      PING,
      shown('a', 'last'),
      shown('other', 'last'),
      PING,
    ];
    expect(connection.messages).toEqual(expected);
  });
});
