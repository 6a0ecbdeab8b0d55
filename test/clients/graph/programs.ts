/** Every program against the started platform: those of GraphQL clients, our own package's, and the examples. */
import { parseHTML } from 'linkedom';
import { apollo, apolloPersisted } from './apollo.ts';
import { typedRequests } from './codegen-program.ts';
import { examples } from './examples.ts';
import { react } from './package-program.ts';
import type { Platform } from './platform.ts';
import { urql } from './urql.ts';

declare const process: { env: Record<string, string> };

const { env } = process;
const platform: Platform = {
  url: env.AVATARS_URL ?? '',
  key: env.AVATARS_KEY ?? '',
  userId: env.USER_ID ?? '',
  avatarId: env.AVATAR_ID ?? '',
  conversationId: env.CONVERSATION_ID ?? '',
  slug: env.SLUG ?? '',
};
const { window } = parseHTML('<html><body></body></html>');
Object.assign(globalThis, { window, document: window.document });

const PROGRAMS = { apollo, apolloPersisted, urql, typedRequests, react, ...examples };
for (const [name, program] of Object.entries(PROGRAMS)) {
  try {
    await program(platform);
    console.log(`${name}: ok`);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
  }
}
