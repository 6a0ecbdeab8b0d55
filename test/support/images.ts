/**
 * An instance whose image model does what the test says, and whose chat answers what it says: what the files of
 * `test/rest/images` share. One is open at a time, as a worker runs its test files one after the other.
 */
import sharp from 'sharp';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines, ImageModelV4 } from '../../src/engines/ports/index.ts';
import { openTestApp, type TestApp, type TestUser } from './app.ts';
import { type ImageServer, serveImages } from './image-server.ts';

type Call = Parameters<ImageModelV4['doGenerate']>[0] & { model: string };
export type ImageAnswer = Awaited<ReturnType<ImageModelV4['doGenerate']>>;

export let t: TestApp;
export let imageServer: ImageServer;
export let ada: TestUser;
/** What the image model was asked for, how it answers, and what the chat model says. */
export const imageModel = {
  calls: [] as Call[],
  draw: async (_: Call): Promise<Partial<ImageAnswer>> => ({}),
  chat: async () => 'NONE',
};

export const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3377aa' } })
    .png()
    .toBuffer();

function engines(): Engines {
  const noop = createNoopEngines();
  return {
    ...noop,
    chatIsEmbedded: false,
    chat: {
      ...noop.chat,
      doGenerate: async (call) => ({
        ...(await noop.chat.doGenerate(call)),
        content: [{ type: 'text', text: await imageModel.chat() }],
      }),
    },
    image: (id) => ({
      ...noop.image(id),
      doGenerate: async (options) => {
        const call = { ...options, model: id };
        imageModel.calls.push(call);
        const answer = { images: [await drawn(64, 48)], warnings: [], response: {} as never };
        return { ...answer, ...(await imageModel.draw(call)) };
      },
    }),
  };
}

export async function openImages(): Promise<void> {
  imageServer = await serveImages();
  t = await openTestApp({
    work: true,
    env: { FETCH_ALLOW_HOSTS: imageServer.host, SIGNUP_CREDITS: '0' },
    engines: { ...engines(), close: async () => {} },
  });
  ada = await t.person('Ada', 10);
}

export async function closeImages(): Promise<void> {
  await t.close();
  await imageServer.close();
}

/** Forgets what was asked for, and how a test had it answered. */
export function usualAnswers(): void {
  imageModel.calls.length = 0;
  imageModel.draw = async () => ({});
  imageModel.chat = async () => 'NONE';
}

export const generate = (body: object, as = ada.apiKey, headers = {}) =>
  t.rest('POST', '/images/generate', { as, body, headers });
export const edit = (body: object, as = ada.apiKey) => t.rest('POST', '/images/edit', { as, body });
export const balance = async (person = ada) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, person.session)).body.data.me.balance;
export const face = () => `${imageServer.url}/face.png`;
