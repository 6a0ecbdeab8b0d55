/** The baseline of the fan-out: bare `ws`, every client sent the same prepared bytes. */
import { WebSocketServer } from 'ws';
import { servePart } from '../support/parts.mjs';

servePart(async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false, backlog: 1_024 });
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', () => {});
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    facts: { port: server.address().port },
    viewers: () => server.clients.size,
    send(text) {
      const bytes = Buffer.from(text);
      for (const client of server.clients) client.send(bytes, { binary: false });
    },
    close() {
      for (const client of server.clients) client.terminate();
    },
  };
});
