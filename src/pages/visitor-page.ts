/**
 * `/a/...`: an avatar whose owner lets others talk with it. At its own address the page knows who is signed in; under
 * `/embed`, which any site may frame, it reads no cookie, and a visitor is who brings the token that its script keeps.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shorten } from './card-meta.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import { initial } from './live-page.ts';
import { notFound } from './not-found.ts';
import { TALK_PAGE, type TalkPageData, TRANSCRIBE_FOR_AVATAR } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { hasValidCsrf, type PageSession, pageSession } from './session.ts';
import { talkBox } from './talk-box.ts';
import { topBar } from './top-bar.ts';
import { turnBody } from './turn-view.ts';

const FORM_STALE = 'This page was open for too long. Load it again.';

interface Shown {
  avatar: TalkPageData['talkPage'];
  slug: string;
  canTranscribe: boolean;
  session: PageSession | undefined;
  isFramed: boolean;
  challenge: string | null;
}

const slugOf = (request: FastifyRequest): string => (request.params as { slug: string }).slug.toLowerCase();

/** Mounts the page on which visitors talk with an avatar. */
export function mountVisitorPage(fastify: FastifyInstance, site: PageContext): void {
  fastify.get('/a/:slug', page(site, false));
  fastify.get('/a/:slug/embed', page(site, true));
}

/** Recordings of visitors, in a scope that takes forms with files: looked at before megabytes are read. */
export function mountVisitorListening(scope: FastifyInstance, site: PageContext): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { data, message } = await site.ask(request, TALK_PAGE, { slug: slugOf(request) });
    return data ? undefined : reply.code(404).send({ error: message });
  };
  scope.post('/a/:slug/transcription', { onRequest }, transcribe(site));
}

function page(site: PageContext, isFramed: boolean): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request);
    const { data } = await site.ask(request, TALK_PAGE, { slug });
    if (!data?.talkPage) return notFound(site, reply);
    const { challenge } = request.query as { challenge?: unknown };
    return show(site, reply, {
      avatar: data.talkPage,
      canTranscribe: data.canTranscribe,
      slug,
      session: isFramed ? undefined : pageSession(request),
      isFramed,
      challenge: typeof challenge === 'string' && challenge !== '' ? challenge : null,
    });
  };
}

function show(site: PageContext, reply: FastifyReply, shown: Shown): FastifyReply {
  const { avatar, slug, session, isFramed } = shown;
  const mayTalk = avatar.audience === 'everyone' || session !== undefined;
  const bar = isFramed ? null : topBar(site, session, `/a/${slug}`);
  return sendPage(site, reply, {
    title: `Talk with ${avatar.displayName}`,
    embeddable: isFramed,
    framesUs: true,
    features: ['microphone'],
    styles: ['transcript.css', 'visitor.css'],
    scripts: mayTalk ? ['visitor.js'] : [],
    bodyClass: isFramed ? 'talk visit framed' : 'talk visit',
    head: isFramed ? html`<meta name="robots" content="noindex">` : card(avatar),
    body: html`${bar}${layout(site, shown, mayTalk)}`,
    data: {
      talkSlug: slug,
      name: avatar.displayName,
      still: avatar.imageUrl,
      greeting: avatar.greeting,
      challenge: shown.challenge,
      isSignedIn: session !== undefined,
      canTranscribe: shown.canTranscribe,
      live: `${site.sitePath}/live/`,
      graphql: `${site.sitePath}/graphql`,
      nowMs: site.clock.now(),
    },
  });
}

/** How a link to the page looks elsewhere. */
function card({ displayName, greeting, imageUrl, url }: Shown['avatar']): Html {
  const description = shorten(greeting ?? `Talk with ${displayName}, face to face.`, 200);
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<meta property="og:site_name" content="Avatars">
<meta property="og:type" content="profile">
<meta property="og:url" content="${url}">
<meta property="og:title" content="Talk with ${displayName}">
<meta property="og:description" content="${description}">
${imageUrl && html`<meta property="og:image" content="${imageUrl}"><meta property="og:image:alt" content="${displayName}">`}
<meta name="twitter:card" content="summary">`;
}

function layout(site: PageContext, shown: Shown, mayTalk: boolean): Html {
  const { avatar, session, slug } = shown;
  const { displayName: name, imageUrl: still, greeting } = avatar;
  const address = `${site.sitePath}/a/${slug}`;
  const greeted = { role: 'avatar', status: 'ready', avatarText: greeting, createdAt: 0 } as const;
  return html`<main class="talking">
  <section class="stage-pane" aria-label="${name}">
    ${still ? html`<img class="stage-still" src="${still}" alt="${name}">` : html`<div class="stage-still" role="img" aria-label="${name}"><span aria-hidden="true">${initial(name)}</span></div>`}
    <iframe class="stage-frame" id="stage" title="${name}, live" allow="autoplay; fullscreen" hidden></iframe>
  </section>
  <section class="chat-pane" aria-label="Conversation">
    <header class="chat-head"><div><h1 title="${name}"><bdi>${name}</bdi></h1><p class="muted small">An AI avatar. This conversation is yours alone; what the avatar remembers of you its owner can see.</p></div></header>
    <div class="scroller" id="scroller">
      <p class="earlier"><button class="button quiet" id="earlier" type="button" hidden>Earlier</button></p>
      <ol class="turns" id="turns" aria-live="polite">${greeting && html`<li class="turn avatar" id="greeting">${turnBody(greetingTurn(greeted), { name, still })}</li>`}</ol>
      <p class="muted empty" id="empty" hidden></p>
    </div>
    <p class="notice bad visit-problem" id="problem" role="alert" hidden></p>
    ${
      mayTalk
        ? html`<div class="talk-box" id="start"><button class="button primary" id="begin" type="button">Talk with ${name}</button>
    <noscript><p class="small">Talking needs JavaScript.</p></noscript></div>
    <form class="talk-box" id="talk" data-transcription="${address}/transcription" hidden>
      ${session && csrfField(session.csrf)}<input type="hidden" name="visitorToken">
      ${talkBox(name, { only: avatar.hasVoice ? undefined : 'text', isFramed: shown.isFramed })}
    </form>`
        : html`<div class="talk-box"><a class="button primary" href="${site.sitePath}/signin?next=${encodeURIComponent(address)}"${shown.isFramed && html` target="_blank" rel="noopener"`}>Sign in to talk with ${name}</a></div>`
    }
  </section>
</main>`;
}

/** A greeting looks as it will once it is a turn of the conversation. */
const greetingTurn = (given: { role: 'avatar'; status: 'ready'; avatarText: string | null; createdAt: number }) => ({
  ...given,
  id: 'greeting',
  userText: null,
  output: null,
  audioUrl: null,
  videoUrl: null,
  streamUrl: null,
  shareSlug: null,
  shareUrl: null,
  errorMessage: null,
  mediaError: null,
  words: null,
  seconds: null,
  heardText: null,
});

const STATUSES: Readonly<Record<string, number>> = { UNAUTHENTICATED: 401, FORBIDDEN: 403, NOT_FOUND: 404 };

/** A recording that the page's script sends, answered with its words: in the name of the session or of the visitor's token. */
function transcribe(site: PageContext): PageHandler {
  return async (request, reply) => {
    void reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin');
    const { audio, ...fields } = (request.body ?? {}) as Record<string, unknown>;
    const field = (name: string): string | null => {
      const value = fields[name];
      return typeof value === 'string' && value !== '' ? value : null;
    };
    // A page without a session sends no form token, and then no session counts.
    const session = field('csrf') === null ? undefined : pageSession(request);
    if (field('csrf') !== null && !(session && hasValidCsrf(request, session))) {
      return reply.code(403).send({ error: FORM_STALE });
    }
    const input = {
      slug: slugOf(request),
      visitorToken: field('visitorToken'),
      audio: audio instanceof Uint8Array ? audio : new Uint8Array(),
      language: field('language'),
    };
    const { data, message, code } = await site.ask(request, TRANSCRIBE_FOR_AVATAR, { input }, session?.idToken);
    if (!data) return reply.code(STATUSES[code ?? ''] ?? 400).send({ error: message });
    // As the owner's talk page answers, whose script this is as well.
    return reply.send({ transcribe: data.transcribeForAvatar });
  };
}
