/**
 * Which card belongs to a slug, and its image. Drawn once for the same words and face, and kept for a while, because
 * every app that shows the link asks for it.
 */
import { LRUCache } from 'lru-cache';
import { sha256 } from '../kernel/ids.ts';
import { type CardContent, drawCard } from './card-drawing.ts';
import { OPENING, SHARED_TURN } from './operations.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { speechOrVideoCard } from './speech-video-pages.ts';
import { firstWords, spokenText } from './turn-data.ts';

const MAX_CARDS = 60;
const TAG_CHARS = 32;

export function cardImagePage(site: PageContext): PageHandler {
  const drawn = new LRUCache<string, Promise<Buffer>>({ max: MAX_CARDS });
  const draw = async (card: CardContent): Promise<Buffer> =>
    drawCard(card, card.stillUrl ? await site.readImage(card.stillUrl) : undefined);
  return async (request, reply) => {
    const slug = (request.params as { slug: string }).slug.toLowerCase();
    const cardOf = { t: turnCard, g: speechOrVideoCard, v: speechOrVideoCard }[slug[0] ?? ''] ?? conversationCard;
    const card = await cardOf(site, request, slug);
    if (!card) return reply.code(404).send();
    const key = `${slug} ${JSON.stringify({ ...card, stillUrl: card.stillUrl?.split('?')[0] })}`;
    // Nothing of a conversation that is private by now comes from a shared cache: it is not kept there at all.
    const tag = `"${sha256(key).slice(0, TAG_CHARS)}"`;
    void reply.header('cache-control', 'private, no-cache').header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    const image = drawn.get(key) ?? draw(card);
    drawn.set(key, image);
    image.catch(() => drawn.delete(key));
    return reply.type('image/jpeg').send(await image);
  };
}

type Ask = Parameters<PageContext['ask']>[0];

async function turnCard(site: PageContext, request: Ask, slug: string): Promise<CardContent | undefined> {
  const card = (await site.ask(request, SHARED_TURN, { slug })).data?.turnCard;
  if (!card) return undefined;
  const { turn, avatarDisplayName, avatarImageUrl } = card;
  const action = turn.output === 'audio' ? 'Listen' : 'Watch and listen';
  return {
    name: avatarDisplayName ?? 'Avatar',
    text: spokenText(turn),
    action,
    stillUrl: avatarImageUrl,
    isPlayable: true,
  };
}

/** Only public conversations have a card: it is asked for without any grant. */
async function conversationCard(site: PageContext, request: Ask, slug: string): Promise<CardContent | undefined> {
  const read = (await site.ask(request, OPENING, { slug })).data?.conversation;
  if (!read) return undefined;
  return {
    name: read.avatarDisplayName ?? 'Avatar',
    text: firstWords(read.turns.nodes) ?? 'A conversation that is about to begin',
    action: 'Read and watch the conversation',
    stillUrl: read.avatarImageUrl,
    isPlayable: false,
  };
}
