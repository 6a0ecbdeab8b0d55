/**
 * The context of every page: what it knows of the instance, and the one way it asks for data, a GraphQL operation through
 * the executor that all transports share.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLError } from 'graphql';
import type { Executor } from '../../resolvers/execute.ts';
import type { RequestContext } from '../../resolvers/request-context.ts';
import { ERRORS, type ErrorDetails, PlatformError } from '../kernel/errors.ts';
import { type Assets, openAssets } from './assets.ts';
import type { PageDocument } from './operations.ts';

/** What the pages need of the program. */
export interface PagesOptions {
  executor: Executor;
  /** The context of a request; `authorization` stands for the header, which pages never read. */
  contextFor(request: FastifyRequest, authorization: string | undefined): Promise<RequestContext>;
  siteUrl: string;
  baseUrl: string;
  /** Where weaknesses are reported (a mailto: or https: address); undefined for the mailbox of that name of our host. */
  securityContact: string | undefined;
  /** Where users buy credits; undefined where there is no such page. */
  creditsUrl: string | undefined;
  /** The OpenAPI document that `/openapi.json` and `/docs` show. */
  openApi(): object;
  clock: { now(): number };
  /** Whether there is a mail server. */
  sendsMail: boolean;
  /** True for what a link that this instance made says of its demo account. */
  isDemoAccount(link: { email: string; password: string; proof: string }): boolean;
  /** The bytes behind an image address of our own. */
  readImage(url: string): Promise<Uint8Array | undefined>;
}

/** What an operation returned: its data, or its first error. */
export interface Outcome<T> {
  data: T | undefined;
  /** `extensions.code` of the first error. */
  code: string | undefined;
  /** Its public sentence. */
  message: string;
  /** Amounts and names beside it. */
  details?: ErrorDetails | undefined;
}

/** What every page knows of the instance. */
export interface PageContext extends PagesOptions {
  assets: Assets;
  /** Path under which the pages live, '' at the root of a host. */
  sitePath: string;
  mediaOrigin: string;
  socketOrigins: string;
  ask<Data, Variables extends Record<string, unknown>>(
    request: FastifyRequest,
    document: PageDocument<Data, Variables>,
    variables: Variables,
    idToken?: string,
  ): Promise<Outcome<Data>>;
}

export function openPageContext(options: PagesOptions): PageContext {
  const sitePath = new URL(options.siteUrl).pathname.replace(/\/$/, '');
  const origins = [...new Set([options.siteUrl, options.baseUrl].map((url) => new URL(url).origin))];
  return {
    ...options,
    sitePath,
    assets: openAssets(sitePath),
    mediaOrigin: origins.join(' '),
    // 'self' does not cover ws: in every browser.
    socketOrigins: origins.map((origin) => origin.replace(/^http/, 'ws')).join(' '),
    async ask<Data, Variables extends Record<string, unknown>>(
      request: FastifyRequest,
      document: PageDocument<Data, Variables>,
      variables: Variables,
      idToken?: string,
    ): Promise<Outcome<Data>> {
      const context = await options.contextFor(request, idToken && `Bearer ${idToken}`);
      const { data, errors } = await options.executor.execute({ document, variables, context });
      const [error] = errors ?? [];
      return error
        ? { data: undefined, ...read(error, context) }
        : { data: data as Data, code: undefined, message: '' };
    },
  };
}

function read(
  error: GraphQLError,
  context: RequestContext,
): Pick<Outcome<never>, 'message' | 'details'> & { code: string } {
  const cause = error.originalError ?? error;
  if (cause instanceof PlatformError) return { code: cause.code, message: cause.message, details: cause.details };
  if (error.extensions?.code === 'BAD_INPUT') return { code: 'BAD_INPUT', message: ERRORS.BAD_INPUT.text };
  context.log.error({ err: cause, requestId: context.requestId }, 'page not made');
  return { code: 'INTERNAL', message: ERRORS.INTERNAL.text };
}

/** Answers a request of a page. */
export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
