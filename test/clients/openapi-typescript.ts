/** A program against the types that openapi-typescript makes: what is documented compiles, what is not does not. */
import type { components, paths } from './generated/openapi-typescript.ts';

type Json<Content> = Content extends { 'application/json': infer Value } ? Value : never;
type Body<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  requestBody?: { content: infer Content };
}
  ? Json<Content>
  : never;
type Answer<
  Path extends keyof paths,
  Method extends keyof paths[Path],
  Status extends number,
> = paths[Path][Method] extends {
  responses: Record<Status, { content: infer Content }>;
}
  ? Json<Content>
  : never;
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Given } } }
  ? NonNullable<Given>
  : never;

export const video: Body<'/videos/generate', 'post'> = { prompt: 'The sea', image: null };
export const app: Body<'/oauth/clients/{clientId}', 'patch'> = { serviceAvatarId: null };
export const turn: Body<'/conversations/{conversationId}/turn', 'post'> = { userText: 'Hi', output: 'text' };
// @ts-expect-error: a misspelt field
export const misspelt: Body<'/conversations/{conversationId}/turn', 'post'> = { userText: 'Hi', ouput: 'text' };
// @ts-expect-error: a value that is none of the set
export const unknown: Body<'/conversations/{conversationId}/turn', 'post'> = { userText: 'Hi', output: 'film' };
// @ts-expect-error: what is required is missing
export const empty: Body<'/images/generate', 'post'> = {};
export const page: Query<'/conversations'> = { first: 10, after: 'cursor', search: 'tea' };
export const gifts: Query<'/donations/sent'> = { to: 'usr_1', first: 10 };
// @ts-expect-error: a documented list without pages
export const folders: Query<'/avatar-folders'> = { first: 10 };

export const lacking = (refusal: Answer<'/images/generate', 'post', 402>): number =>
  refusal.requiredCredits - refusal.availableCredits;
export const lackingToJoin = (refusal: Answer<'/tribes/{user}/join', 'post', 400>): number =>
  (refusal.required ?? 0) - (refusal.balance ?? 0);
export const isLimited = ({ code, retryAfterSeconds }: components['schemas']['Error']): boolean =>
  code === 'RATE_LIMITED' && (retryAfterSeconds ?? 0) > 0;
export function mediaOf(shown: components['schemas']['Turn']): string | null {
  return shown.status === 'error' ? (shown.errorMessage ?? null) : (shown.videoUrl ?? shown.audioUrl);
}
export function firstName(answer: Answer<'/avatars', 'get', 200>): string {
  return answer.avatars[0]?.displayName ?? '';
}
export function nextPage(answer: Answer<'/videos', 'get', 200>): Query<'/videos'> | undefined {
  return answer.next === undefined ? undefined : { after: answer.next };
}
