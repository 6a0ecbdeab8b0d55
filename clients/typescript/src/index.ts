/** A client of the avatar platform: GraphQL, the documented paths, the live feed, files. Nothing but web standards. */
export { type Client, type ClientOptions, createClient, type RequestOptions, type WebSocketClass } from './client.ts';
export {
  type ConversationAccess,
  type ConversationState,
  followConversation,
  NOTHING_YET,
} from './conversation.ts';
export {
  AvatarError,
  BadInputError,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  ForbiddenError,
  InsufficientCreditsError,
  NotFoundError,
  QuotaExceededError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
} from './errors.ts';
export { transcribe, upload } from './files.ts';
export type * as Rest from './generated/rest.ts';
export { type LiveEvents, subscribe, updates } from './live.ts';
export type { Operation } from './operation.ts';
export { pages } from './pages.ts';
export { rest } from './rest.ts';
