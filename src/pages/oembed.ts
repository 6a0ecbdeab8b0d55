/** oEmbed: sites that support it show our links as the live viewer. Only what is public has an answer. */
import { html } from './html.ts';
import { OPENING, SHARED_TURN } from './operations.ts';
import type { PageContext, PageHandler } from './page-context.ts';

const SIDE = 480;

export function oembed(site: PageContext): PageHandler {
  return async (request, reply) => {
    const query = request.query as { url?: unknown; format?: unknown; maxwidth?: unknown; maxheight?: unknown };
    if (query.format !== undefined && query.format !== 'json') return reply.code(501).send({ error: 'JSON only.' });
    const slug = slugIn(site, query.url);
    const name = slug && (await nameOf(site, request, slug));
    if (!slug || !name) return reply.code(404).send({ error: 'There is nothing to embed at this address.' });
    const side = Math.min(SIDE, limit(query.maxwidth), limit(query.maxheight));
    const src = `${site.siteUrl}/live/${slug}?autoplay=0`;
    const frame = html`<iframe src="${src}" width="${side}" height="${side}" title="${name}" allow="fullscreen; autoplay" allowfullscreen></iframe>`;
    // Not cached: the conversation may be private the next moment.
    return reply.header('cache-control', 'private, no-cache').send({
      version: '1.0',
      type: slug.startsWith('t-') ? 'video' : 'rich',
      provider_name: 'Avatars',
      provider_url: site.siteUrl,
      title: name,
      author_name: name,
      author_url: `${site.siteUrl}/${slug}`,
      cache_age: 0,
      width: side,
      height: side,
      html: frame.text,
      thumbnail_url: `${site.siteUrl}/cards/${slug}.jpg`,
      thumbnail_width: 1200,
      thumbnail_height: 630,
    });
  };
}

function limit(value: unknown): number {
  const number = Number(value);
  return Number.isInteger(number) && number >= 120 ? number : SIDE;
}

function slugIn(site: PageContext, url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  if (origin !== new URL(site.siteUrl).origin || !pathname.startsWith(`${site.sitePath}/`)) return undefined;
  return /^\/(?:live\/)?([ct]-\d\d-\d\d-[a-z0-9]{4,12})$/i
    .exec(pathname.slice(site.sitePath.length))?.[1]
    ?.toLowerCase();
}

async function nameOf(site: PageContext, request: Parameters<PageContext['ask']>[0], slug: string) {
  if (slug.startsWith('t-')) {
    const card = (await site.ask(request, SHARED_TURN, { slug })).data?.turnCard;
    return card && (card.avatarDisplayName ?? 'Avatar');
  }
  const read = (await site.ask(request, OPENING, { slug })).data?.conversation;
  return read && (read.avatarDisplayName ?? 'Avatar');
}
