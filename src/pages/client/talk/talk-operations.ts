/** What is said and interrupted, and by which operations: the owner's of a conversation, or a visitor's of an avatar's page. */
import type { Client } from '../../../../clients/typescript/src/client.ts';
import { AvatarError, InsufficientCreditsError } from '../../../../clients/typescript/src/errors.ts';
import { creditsPage, inAmounts } from '../../missing-credits.ts';
import { INTERRUPT, INTERRUPT_AVATAR, SAY, SAY_TO_AVATAR, WHO_PAYS } from '../lib/operations.ts';
import type { Interruption } from '../viewer/player.ts';

/** One side of a conversation; each throws what the server refuses. */
export interface TalkOperations {
  say(userText: string, output: string): Promise<unknown>;
  interrupt(turn: Interruption): Promise<unknown>;
}

/** Credits are missing, in the words of the page. */
class MissingCredits extends Error {
  /** Where there are some; undefined where another user pays. */
  readonly link: { href: string; text: string } | undefined;

  constructor(message: string, link?: { href: string; text: string }) {
    super(message);
    this.link = link;
  }
}

/** What a user whose words were refused can do: `code` says why, `link` leads to where credits are. */
export function waysOn(error: unknown): { code?: string; link?: { href: string; text: string } | undefined } {
  if (error instanceof MissingCredits) return { code: 'INSUFFICIENT_CREDITS', link: error.link };
  return error instanceof AvatarError ? { code: error.code } : {};
}

const OWNER_HAS_NONE =
  'The owner of this avatar pays for what it says aloud, and nothing is left for that now. Ask for text, which is free.';

/** Where credits are missing how many, whose they are, and the way on; everything else as it is. */
async function inWords(client: Client, slug: string, error: unknown): Promise<unknown> {
  if (!(error instanceof InsufficientCreditsError)) return error;
  const { me, conversationBySlug } = await client.graphql(WHO_PAYS, { slug });
  if (conversationBySlug.conversation.avatarOwnerUserId !== me.userId) return new MissingCredits(OWNER_HAS_NONE);
  const sentence = `${inAmounts(error, 'an answer like this costs up to')} Text is free.`;
  return new MissingCredits(sentence, creditsPage(new URL(client.url).pathname.replace(/\/studio$/, '')));
}

/** For a signed-in user, in a conversation of their own. */
export const ownerOperations = (client: Client, conversationId: string): TalkOperations => ({
  async say(userText, output) {
    try {
      await client.graphql(SAY, { conversationId, userText, output });
    } catch (error) {
      throw await inWords(client, conversationId, error);
    }
  },
  interrupt: (turn) => client.graphql(INTERRUPT, { input: turn }),
});

/** A visitor; `visitorToken` is null for who is signed in. */
export const visitorOperations = (
  client: Client,
  who: { slug: string; visitorToken: string | null },
): TalkOperations => ({
  say: (userText, output) => client.graphql(SAY_TO_AVATAR, { ...who, userText, output }),
  interrupt: (turn) => client.graphql(INTERRUPT_AVATAR, { input: { ...who, turn } }),
});
