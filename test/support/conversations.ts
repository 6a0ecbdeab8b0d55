/**
 * Two users and two avatars, one of which has no voice, with engines that do nothing: what the files of
 * `test/rest/conversations` share. One instance is open at a time, as a worker runs its test files one after the other.
 */
import { openTestApp, type TestApp, type TestUser } from './app.ts';

export let t: TestApp;
export let ada: TestUser;
export let bob: TestUser;
export let nova: any;
export let mute: any;

export const make = async (owner: TestUser, body: object) =>
  (await t.rest('POST', '/avatars', { as: owner.apiKey, body: { displayName: 'Nova', ...body } })).body.avatar;

export async function openConversations(): Promise<void> {
  t = await openTestApp({ work: true, env: { SIGNUP_CREDITS: '0' } });
  ada = await t.person('Ada', 100);
  bob = await t.person('Bob');
  nova = await make(ada, { ttsVoiceId: 'noop' });
  mute = await make(ada, { displayName: 'Mute' });
}

export const closeConversations = (): Promise<void> => t.close();

export async function start(avatar: any = nova, as: TestUser = ada): Promise<any> {
  const body = { avatarOwnerUserId: avatar.avatarOwnerUserId, avatarId: avatar.avatarId };
  const answer = await t.rest('POST', '/conversations', { as: as.apiKey, body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
export const inject = (id: string, body: object, as = ada.apiKey, headers = {}) =>
  t.rest('POST', `/conversations/${id}/turn`, { as, body, headers });
export const balance = async (person: TestUser) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, person.session)).body.data.me.balance;
export const shown = (turns: any[]) =>
  turns.map((turn) => [turn.role, turn.output, turn.status, turn.userText ?? turn.avatarText]);
export const SEVEN = 'One. Two! Three? Four. Five. Six. Seven.';
