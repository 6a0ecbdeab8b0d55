/**
 * The pages in browsers: live viewer, transcript, shared recordings, sign-in, docs. They execute GraphQL operations through
 * the one executor and hold no rule of their own; which cookie names whom is the business of `session.ts`.
 */
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RECORDING_FORM } from '../kernel/multipart.ts';
import { mountAccount } from './account-actions.ts';
import { mountAccountLinks } from './account-links-page.ts';
import { cardImagePage } from './card-image.ts';
import { mountConsentPage } from './consent-page.ts';
import { mountDocs } from './docs-pages.ts';
import { mountGiftPage } from './gift-page.ts';
import { homePage } from './home-page.ts';
import { livePage } from './live-page.ts';
import { mediaStyleHashes } from './media-styles.ts';
import { notFound } from './not-found.ts';
import { oembed } from './oembed.ts';
import { openPageContext, type PageContext, type PagesOptions } from './page-context.ts';
import { pageCookies, pageSession } from './session.ts';
import { mountSessionGraphql } from './session-graphql.ts';
import { sharedTurnPage } from './shared-media-page.ts';
import { checkDemoLink, signIn, signInPage, signOut } from './signin-page.ts';
import { mountSpeechAndVideos } from './speech-video-pages.ts';
import { mountStreamLink } from './stream-link-page.ts';
import { mountAvatar } from './studio/avatar-page.ts';
import { mountAvatars } from './studio/avatars-page.ts';
import { mountCreateImage } from './studio/create-image-page.ts';
import { mountCreateSpeech } from './studio/create-speech-page.ts';
import { mountCreateVideo } from './studio/create-video-page.ts';
import { mountDevelopers } from './studio/developers-page.ts';
import { mountNewAvatar } from './studio/new-avatar-page.ts';
import { mountOperator } from './studio/operator-page.ts';
import { mountTalk } from './studio/talk-page.ts';
import { mountTribe } from './studio/tribe-page.ts';
import { mountWelcome } from './studio/welcome-page.ts';
import { exportTranscript, ownerActions, transcriptPage } from './transcript-page.ts';
import { mountVerifyEmail } from './verify-email-page.ts';
import { mountVisitorListening, mountVisitorPage } from './visitor-page.ts';
import { mountWellKnownFiles } from './well-known-files.ts';

export type { PagesOptions } from './page-context.ts';
export { socketAuthorization } from './session.ts';
export { OWN_GRAPHQL } from './session-graphql.ts';

const FORM_BYTES = 16 * 1024;

/** Answers with the page for what is not there; undefined when the caller is no browser that came to read. */
export type AnswerNotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

const wantsHtml = ({ headers }: FastifyRequest): boolean => /text\/html/.test(headers.accept ?? '');

/** Mounts every page; call it before the server listens. Returns what to do at addresses that nothing matches. */
export function mountPages(root: FastifyInstance, options: PagesOptions): AnswerNotFound {
  const site = openPageContext(options);
  // The IDE shares the address of the API: a browser that opens it wants to read, not to query.
  root.addHook('onRequest', async (request, reply) => {
    const isIde = request.method === 'GET' && request.url === '/graphql' && wantsHtml(request);
    return isIde ? reply.header('vary', 'accept').redirect('graphiql', 302) : undefined;
  });
  void root.register(async (fastify) => {
    await fastify.register(cookie);
    fastify.decorate('pageCookies', pageCookies(options.siteUrl));
    if (!fastify.hasContentTypeParser('application/x-www-form-urlencoded')) {
      await fastify.register(formbody, { bodyLimit: FORM_BYTES });
    }
    site.assets.mount(fastify);
    mountDocs(fastify, site);
    mountSessionGraphql(fastify);
    mountSigning(fastify, site);
    mountConsentPage(fastify, site);
    mountAccount(fastify, site);
    mountVerifyEmail(fastify, site);
    mountAccountLinks(fastify, site);
    mountTalk(fastify, site);
    mountWelcome(fastify, site);
    mountAvatars(fastify, site);
    mountNewAvatar(fastify, site);
    mountAvatar(fastify, site);
    mountDevelopers(fastify, site);
    mountTribe(fastify, site);
    mountOperator(fastify, site);
    mountCreateImage(fastify, site);
    mountCreateSpeech(fastify, site);
    mountCreateVideo(fastify, site);
    mountGiftPage(fastify, site);
    mountStreamLink(fastify, site);
    mountVisitorPage(fastify, site);
    await mountReading(fastify, site);
    await fastify.register((scope) => mountListening(scope, site));
    mountWellKnownFiles(fastify, site);
  });
  return (request, reply) => {
    const comesToRead = ['GET', 'HEAD'].includes(request.method) && wantsHtml(request);
    return comesToRead ? notFound(site, reply.header('vary', 'accept')) : undefined;
  };
}

function mountSigning(fastify: FastifyInstance, site: PageContext): void {
  fastify.get('/', homePage(site));
  fastify.get('/signin', signInPage(site));
  fastify.post('/signin', signIn(site));
  fastify.post('/signin/demo', checkDemoLink(site));
  fastify.post('/signout', signOut(site));
}

/** Forms with a recording. */
async function mountListening(fastify: FastifyInstance, site: PageContext): Promise<void> {
  await fastify.register(multipart, RECORDING_FORM);
  const { transcription } = ownerActions(site);
  // Before a form of megabytes is read: the page sends none for other users.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> =>
    pageSession(request) ? undefined : reply.code(403).send({ error: 'You are signed out. Load the page again.' });
  for (const prefix of ['/c-', '/C-']) fastify.post(`${prefix}:rest/transcription`, { onRequest }, transcription);
  mountVisitorListening(fastify, site);
}

async function mountReading(fastify: FastifyInstance, site: PageContext): Promise<void> {
  const { transcription: _, ...actions } = ownerActions(site);
  fastify.get('/live/:slug', livePage(site, await mediaStyleHashes()));
  // Slugs are accepted in any case.
  for (const prefix of ['/c-', '/C-']) {
    fastify.get(`${prefix}:rest`, transcriptPage(site));
    fastify.get(`${prefix}:rest/export/:format`, exportTranscript(site));
    for (const [name, handler] of Object.entries(actions)) fastify.post(`${prefix}:rest/${name}`, handler);
  }
  for (const prefix of ['/t-', '/T-']) fastify.get(`${prefix}:rest`, sharedTurnPage(site));
  mountSpeechAndVideos(fastify, site);
  fastify.get('/cards/:slug.jpg', cardImagePage(site));
  fastify.get('/oembed', oembed(site));
}
