/** The baseline of the poll: `node:http`, `pg`, HMAC and JSON.stringify, and nothing else. */
import { createServer } from 'node:http';
import { openReader } from '../support/conversation.mjs';
import { servePart } from '../support/parts.mjs';

servePart(async ({ databaseUrl, site }) => {
  const reader = openReader(databaseUrl, site);
  const prefix = '/conversations/by-slug/';
  const server = createServer(async (request, response) => {
    const body = request.url.startsWith(prefix) && (await reader.read(request.url.slice(prefix.length)));
    const text = JSON.stringify(body || { error: 'Conversation not found.' });
    response.writeHead(body ? 200 : 404, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    facts: { port: server.address().port },
    async close() {
      server.closeAllConnections();
      await reader.close();
    },
  };
});
