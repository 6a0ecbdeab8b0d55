/**
 * One instance with something on every page, and the addresses to see it at: for tests that look at all pages alike.
 * Names are long and one is written from right to left, because that is where pages break.
 */
import type { BrowserContext, Page } from 'playwright-core';
import type { TestApp, TestUser } from '../support/app.ts';
import { makeAvatar, makeClient, REDIRECT, tokenFor } from '../support/oauth.ts';
import { until } from '../support/until.ts';
import { createConversation, say } from './stage.ts';

export interface Stop {
  name: string;
  path: string;
  /** What is there once the page is whole. */
  ready: string;
  /** Built as the stop before it, of other words. */
  isVariant?: boolean;
  /** Who looks at it, where that is not a guest. */
  isOwner?: boolean;
  isOperator?: boolean;
  /** The sizes and themes of a page that looks the same in all of them need no second look. */
  act?: (page: Page) => Promise<unknown>;
}

const LONG = 'Maximiliana-Theodora von und zu Hohenlohe-Schillingsfürst';
const RTL = 'مرحبا! كيف يمكنني مساعدتك اليوم؟';

export interface Tour {
  owner: TestUser;
  stops: Stop[];
}

/** Furnishes the instance; `t` has a worker. */
export async function furnish(t: TestApp): Promise<Tour> {
  const owner = await t.person('Ada', 200);
  const friend = await t.person(LONG, 5);
  const as = owner.apiKey;
  const voice = t.app.engines.speech.voices()[0]!.id;
  const room = await createConversation(t, owner, voice);
  const inputs = [
    { userText: 'Good morning, who are you?', avatarText: 'Well, good morning. I am Nova.', output: 'video' },
    { userText: RTL, avatarText: RTL, output: 'text' },
    { userText: 'Say it.', avatarText: 'With my voice alone.', output: 'audio' },
    {
      userText: `${LONG} `.repeat(4),
      avatarText: 'https://example.com/'.concat('a-long-path/'.repeat(12)),
      output: 'text',
    },
  ];
  for (const input of inputs) await say(t, owner, room, input);
  const { turns } = await t.settled(room.shareSlug, as);
  await t.graphql(
    'mutation($id: ID!) { setConversationVisibility(conversationId: $id, isPublic: true) { isPublic } }',
    { id: room.conversationId },
    owner.session,
  );
  const turn = turns.find((one: any) => one.shareSlug && one.output === 'video').shareSlug;
  const sound = turns.find((turn: any) => turn.shareSlug && turn.output === 'audio').shareSlug;
  const spoken = await speech(t, owner, voice);
  const video = await makeVideo(t, owner);
  return {
    owner,
    stops: [
      ...open(),
      ...rooms(room, turn, sound, spoken, video),
      ...(await asked(t, owner, friend)),
      ...(await visited(t, owner)),
    ],
  };
}

async function openAvatar(page: Page): Promise<void> {
  await page.click('.tile');
  await page.waitForSelector('#persona');
}

const open = (): Stop[] => [
  { name: 'home', path: '/', ready: 'h1' },
  { name: 'home-own', path: '/', ready: '.room', isOwner: true },
  { name: 'signin', path: '/signin', ready: 'form' },
  { name: 'reset-password', path: '/reset-password', ready: '.sheet-title' },
  { name: 'reset-password-link', path: '/reset-password?token=x', ready: 'form' },
  { name: 'change-email-link', path: '/change-email?token=x', ready: 'form', isVariant: true },
  { name: 'signup', path: '/signup', ready: 'form' },
  {
    name: 'account',
    path: '/account',
    ready: 'h1',
    isOwner: true,
    act: (page) => page.getByText('By day').click(),
  },
  { name: 'welcome', path: '/studio/welcome', ready: '.tile', isOwner: true },
  { name: 'new-avatar', path: '/studio/avatars/new', ready: '#examples button', isOwner: true },
  { name: 'avatars', path: '/studio/avatars', ready: '.tile', isOwner: true },
  { name: 'avatar', path: '/studio/avatars', ready: '.tile', isOwner: true, act: openAvatar },
  { name: 'create-image', path: '/studio/create', ready: 'form', isOwner: true },
  { name: 'create-speech', path: '/studio/create/speech', ready: 'form', isOwner: true },
  { name: 'create-video', path: '/studio/create/video', ready: '.tile', isOwner: true },
  { name: 'tribe', path: '/studio/tribe', ready: 'form', isOwner: true },
  { name: 'developers', path: '/studio/developers', ready: '.ask', isOwner: true },
  { name: 'operator', path: '/studio/operator', ready: '#jobs', isOperator: true },
  { name: 'operator-health', path: '/studio/operator/health', ready: 'li', isOperator: true },
  { name: 'not-found', path: '/nothing-here', ready: 'h1' },
  { name: 'docs', path: '/docs', ready: '.opblock' },
  { name: 'graphql', path: '/graphiql', ready: 'app-root .cm-editor' },
  { name: 'stream-link', path: '/stream-link', ready: 'h1', isOwner: true },
  { name: 'stream-link-no', path: '/stream-link/callback', ready: 'h1', isOwner: true, isVariant: true },
];

function rooms(
  room: { shareSlug: string; viewerToken: string },
  turn: string,
  sound: string,
  spoken: string,
  video: string,
): Stop[] {
  const live = `/live/${room.shareSlug}?token=${room.viewerToken}`;
  return [
    { name: 'live', path: `${live}&autoplay=0`, ready: '#said li.avatar' },
    {
      name: 'live-drawer',
      path: `${live}&since=now`,
      ready: '#said li.avatar',
      act: (page) => page.click('#open-drawer'),
    },
    { name: 'transcript', path: `/${room.shareSlug}`, ready: '.turn' },
    {
      name: 'transcript-share',
      path: `/${room.shareSlug}`,
      ready: '.turn',
      isOwner: true,
      act: (page) => page.click('summary'),
    },
    { name: 'transcript-own', path: `/${room.shareSlug}`, ready: '.turn', isOwner: true, isVariant: true },
    { name: 'turn', path: `/${turn}`, ready: '#player' },
    { name: 'turn-sound', path: `/${sound}`, ready: '#player' },
    { name: 'speech', path: `/${spoken}`, ready: '#player', isVariant: true },
    { name: 'video', path: `/${video}`, ready: '#player' },
    { name: 'video-own', path: `/${video}`, ready: 'video', isOwner: true },
  ];
}

/** The page of an avatar for visitors, before and while one talks. */
async function visited(t: TestApp, owner: TestUser): Promise<Stop[]> {
  const { avatarId } = (await t.rest('POST', '/avatars', { as: owner.apiKey, body: { displayName: LONG } })).body;
  const { body } = await t.graphql<any>(
    `mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) { settings { url } } }`,
    { input: { avatarId, audience: 'everyone', greeting: RTL } },
    owner.session,
  );
  const path = new URL(body.data.setTalkSettings.settings.url).pathname;
  const begin = async (page: Page): Promise<void> => {
    if (await page.locator('#begin').isVisible()) await page.click('#begin');
    await page.waitForSelector('#words:visible');
  };
  return [
    { name: 'visitor', path, ready: '#begin' },
    { name: 'visitor-talking', path, ready: '#begin', act: begin },
    { name: 'visitor-embed', path: `${path}/embed`, ready: '#begin' },
  ];
}

/** Pages that ask for a yes. */
async function asked(t: TestApp, owner: TestUser, friend: TestUser): Promise<Stop[]> {
  const client = await makeClient(t, friend, { name: 'Tea Talk', scopes: ['profile', 'generate', 'donations'] });
  const avatar = await makeAvatar(t, owner, LONG);
  const consent = { client_id: client.clientId, redirect_uri: REDIRECT, state: 's', scope: 'profile generate' };
  const token = await tokenFor(t, owner, avatar, client, 'donations');
  const intend = async (from: string, to: TestUser): Promise<string> => {
    const body = { to: to.userId, amount: 2.5, note: 'For the song, with many thanks' };
    const answer = await t.rest('POST', '/donations/intents', { as: from, body });
    return `/gifts/${answer.body.intentId}`;
  };
  const [pending, cancelled] = [await intend(token, friend), await intend(token, friend)];
  await t.graphql(
    'mutation($id: ID!) { cancelGift(intentId: $id) { status } }',
    { id: cancelled.split('/').at(-1) },
    owner.session,
  );
  const friends = await makeAvatar(t, friend, 'Vega');
  const theirs = await intend(await tokenFor(t, friend, friends, client, 'donations'), owner);
  return [
    {
      name: 'consent',
      path: `/oauth-authorize.html?${new URLSearchParams(consent)}`,
      ready: '.face',
      isOwner: true,
    },
    { name: 'gift', path: pending, ready: '.gift', isOwner: true },
    { name: 'gift-ended', path: cancelled, ready: '.gift', isOwner: true },
    { name: 'gift-of-another', path: theirs, ready: 'h1', isOwner: true },
  ];
}

async function speech(t: TestApp, { apiKey: as }: TestUser, voice: string): Promise<string> {
  const { avatarId } = (await t.rest('POST', '/avatars', { as, body: { displayName: 'Nova', ttsVoiceId: voice } }))
    .body;
  const body = { text: 'This is a video of its own.', output: 'video' };
  const { poll } = (await t.rest('POST', `/avatars/${avatarId}/speak`, { as, body })).body;
  return (await finished(t, as, poll, 'video')).shareSlug;
}

async function makeVideo(t: TestApp, { apiKey: as }: TestUser): Promise<string> {
  const body = { prompt: 'A lighthouse at dusk, waves below', duration: 1 };
  const { poll, generationId } = (await t.rest('POST', '/videos/generate', { as, body })).body;
  const { slug } = await finished(t, as, poll, 'ready');
  await t.graphql(
    'mutation($id: ID!) { setVideoVisibility(generationId: $id, visibility: public) { visibility } }',
    { id: generationId },
    as,
  );
  return slug;
}

const finished = (t: TestApp, as: string, poll: string, status: string): Promise<any> =>
  until(async () => {
    const { body } = await t.rest('GET', poll, { as });
    return body.status === status && body;
  });

/**
 * Sends the form of the sign-in page, so that the context's pages are theirs. To fill it in on a page costs a second of
 * computing, and is done where it is what is tested (operator.test.ts).
 */
export async function signInOn(
  context: BrowserContext,
  site: string,
  { email, password = 'correct horse' }: Pick<TestUser, 'email'> & { password?: string },
): Promise<void> {
  const { request } = context;
  const [, csrf] = /name="csrf" value="([^"]+)"/.exec(await (await request.get(`${site}/signin`)).text()) ?? [];
  const answer = await request.post(`${site}/signin`, { form: { csrf: `${csrf}`, email, password }, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`);
}
