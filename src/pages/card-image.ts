/**
 * Which card belongs to a slug, and its picture. Drawn once for the same words and face, and kept for a while, because
 * every app that shows the link asks for it.
 */
import { sha256 } from '../kernel/ids.ts';
import { type CardPicture, drawCard } from './card-picture.ts';
import { mediaClipPicture } from './media-clip-pages.ts';
import { CLIP_CARD, type ClipCardData, TRANSCRIPT, type TranscriptData } from './operations.ts';
import type { PageHandler, PagesSite } from './site.ts';
import { spokenText } from './turn-data.ts';

const MAX_CARDS = 60;
const TAG_CHARS = 32;

export function cardImagePage(site: PagesSite): PageHandler {
  const drawn = new Map<string, Promise<Buffer>>();
  const draw = async (card: CardPicture): Promise<Buffer> =>
    drawCard(card, card.stillUrl ? await site.readImage(card.stillUrl) : undefined);
  return async (request, reply) => {
    const slug = (request.params as { slug: string }).slug.toLowerCase();
    const pictureOf =
      { t: clipPicture, g: mediaClipPicture, v: mediaClipPicture }[slug[0] ?? ''] ?? conversationPicture;
    const card = await pictureOf(site, request, slug);
    if (!card) return reply.code(404).send();
    const key = `${slug} ${JSON.stringify({ ...card, stillUrl: card.stillUrl?.split('?')[0] })}`;
    // Nothing of a conversation that is private by now comes from a shared cache: it is not kept there at all.
    const tag = `"${sha256(key).slice(0, TAG_CHARS)}"`;
    void reply.header('cache-control', 'private, no-cache').header('etag', tag);
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    const picture = drawn.get(key) ?? draw(card);
    drawn.delete(key);
    drawn.set(key, picture);
    if (drawn.size > MAX_CARDS) drawn.delete(drawn.keys().next().value!);
    picture.catch(() => drawn.delete(key));
    return reply.type('image/jpeg').send(await picture);
  };
}

type Ask = Parameters<PagesSite['ask']>[0];

async function clipPicture(site: PagesSite, request: Ask, slug: string): Promise<CardPicture | undefined> {
  const card = (await site.ask<ClipCardData>(request, CLIP_CARD, { slug })).data?.clipCard;
  if (!card) return undefined;
  const { turn, avatarDisplayName, avatarImageUrl } = card;
  const hint = turn.output === 'audio' ? 'Listen' : 'Watch and listen';
  return {
    name: avatarDisplayName ?? 'Avatar',
    text: spokenText(turn),
    hint,
    stillUrl: avatarImageUrl,
    isClip: true,
  };
}

/** Only public conversations have a card: it is asked for without any grant. */
async function conversationPicture(site: PagesSite, request: Ask, slug: string): Promise<CardPicture | undefined> {
  const read = (await site.ask<TranscriptData>(request, TRANSCRIPT, { slug })).data?.conversationBySlug;
  if (!read) return undefined;
  const name = read.conversation.avatarDisplayName ?? 'Avatar';
  const said = read.turns.find((turn) => turn.role === 'avatar' && turn.avatarText)?.avatarText;
  return {
    name,
    text: said ?? 'A conversation that is about to begin',
    hint: 'Read and watch the conversation',
    stillUrl: read.conversation.avatarImageUrl,
    isClip: false,
  };
}
