/** What changes of earlier turns while their page is being read is not lost. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Update } from '../../src/pages/client/viewer/feed.ts';
import { History } from '../../src/pages/client/viewer/history.ts';

const asked: ServerResponse[] = [];
const server = createServer((_request, response) => {
  asked.push(response);
  server.emit('asked');
});
let graphql: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  graphql = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const turn = (id: string, injection: number, cursor: string, more: Partial<Update> = {}): Update =>
  ({ cursor, injection, chunk: 0, isDeleted: false, isDraft: false, turn: { id, status: 'ready' }, ...more }) as Update;

test('an earlier turn that changes or goes while its page is read is shown as it is then', async () => {
  const earliest = { injection: 9, chunk: 0, turnId: 'trn_9' };
  const history = new History({ slug: 's', viewerToken: null, key: null, graphql }, earliest);
  const begun = once(server, 'asked');
  const loading = history.load();
  await begun;
  const finished = turn('trn_2', 2, '20', { turn: { id: 'trn_2', status: 'video' } as Update['turn'] });
  const isOlder = turn('trn_3', 3, '5', { turn: { id: 'trn_3', status: 'pending' } as Update['turn'] });
  expect([turn('trn_1', 1, '21', { isDeleted: true }), finished, isOlder].map((one) => history.holds(one))).toEqual([
    true,
    true,
    true,
  ]);
  expect(history.holds(turn('trn_10', 10, '22'))).toBe(false);
  const updates = [turn('trn_1', 1, '10'), turn('trn_2', 2, '11'), turn('trn_3', 3, '12')];
  asked[0]!.setHeader('content-type', 'application/json');
  asked[0]!.end(JSON.stringify({ data: { conversationBySlug: { updates } } }));
  const shown = await loading;
  expect(shown?.map((one) => [one.turn.id, one.turn.status])).toEqual([
    ['trn_2', 'video'],
    ['trn_3', 'ready'],
  ]);
});
