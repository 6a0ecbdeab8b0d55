/**
 * Thousands of viewers in one process, each a bare TCP socket that speaks just enough WebSocket: it subscribes, answers
 * pings and counts the messages it was sent. Cheaper than a client library, so that the servers are what is measured.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { servePart } from '../support/parts.mjs';

const OPENING_AT_ONCE = 100;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

servePart(async ({ port, path, hello }) => {
  const sockets = [];
  let messages = 0;
  let bytes = 0;
  let closed = 0;
  let waiting;

  function received(length) {
    messages += 1;
    bytes += length;
    if (waiting && messages >= waiting.messages) waiting.done();
  }

  async function openOne() {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${createHash('md5').update(randomBytes(8)).digest('base64')}\r\n` +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    await new Promise((resolve, reject) => {
      let head = Buffer.alloc(0);
      const read = (data) => {
        head = Buffer.concat([head, data]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        socket.off('data', read);
        if (!head.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) return reject(new Error(String(head)));
        follow(socket, head.subarray(end + 4));
        resolve();
      };
      socket.on('data', read);
    });
    sockets.push(socket);
  }

  /** Says each line of `hello` once the one before was answered; `$ID` in it is an id of this viewer's own. */
  function follow(socket, first) {
    let rest = first;
    let said = 0;
    const id = randomUUID();
    const say = () => {
      if (said < hello.length) socket.write(frame(TEXT, Buffer.from(hello[said].replace('$ID', id))));
      said += 1;
    };
    say();
    socket.on('data', (data) => {
      rest = rest.length ? Buffer.concat([rest, data]) : data;
      for (;;) {
        const read = nextFrame(rest);
        if (!read) return;
        rest = rest.subarray(read.length);
        if (read.code === TEXT) {
          received(read.length);
          if (said < hello.length) say();
        } else if (read.code === PING) socket.write(frame(PONG, Buffer.alloc(0)));
        else if (read.code === CLOSE) closed += 1;
      }
    });
    socket.on('error', () => {});
  }

  return {
    async open(count) {
      for (let opened = 0; opened < count; opened += OPENING_AT_ONCE) {
        await Promise.all(Array.from({ length: Math.min(OPENING_AT_ONCE, count - opened) }, openOne));
      }
      return sockets.length;
    },
    /** Resolves with the clock once `wanted` messages have come since the start. */
    async until(wanted) {
      if (messages < wanted) {
        const { promise, resolve } = Promise.withResolvers();
        const timer = setTimeout(resolve, 30_000);
        waiting = { messages: wanted, done: resolve };
        await promise;
        clearTimeout(timer);
        waiting = undefined;
        if (messages < wanted) throw new Error(`Only ${messages} of ${wanted} messages came; ${closed} were closed.`);
      }
      return { messages, bytes };
    },
    counts: () => ({ messages, bytes, closed }),
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
});

/** A masked frame with less than 64 KiB; the mask is zero, which leaves the payload as it is. */
function frame(code, payload) {
  const long = payload.length > 125;
  const head = Buffer.alloc(long ? 8 : 6);
  head[0] = 0x80 | code;
  head[1] = 0x80 | (long ? 126 : payload.length);
  if (long) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** The first whole frame of what a server sent. */
function nextFrame(data) {
  if (data.length < 2) return undefined;
  const short = data[1] & 0x7f;
  const offset = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < offset) return undefined;
  const payload = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  return data.length < offset + payload ? undefined : { code: data[0] & 0x0f, length: offset + payload };
}
