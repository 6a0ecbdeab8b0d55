/**
 * Live updates: every turn that comes or changes. A transport that writes to its viewers itself passes a sink and gets an
 * iterator that yields nothing and only ends; all others iterate over the updates.
 */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { Arg, Resolver, Root, Subscription } from 'type-graphql';
import { TurnUpdate } from '../schema/turn.ts';
import { Allow } from '../src/auth/allow.ts';
import { PlatformError } from '../src/kernel/errors.ts';
import { BoundedQueue, intoQueue } from '../src/services/live/feeds/update.queue.ts';
import type { LiveRow } from '../src/services/live/live.queries.ts';
import type { LiveRequest, LiveSink } from '../src/services/live/live.service.ts';
import type { Context } from './context.ts';

export type { LiveRow, LiveSink };

/** Updates that may wait for a subscriber inside this process. */
export const QUEUED_UPDATES = 256;

const ABOUT = `Every turn of a conversation that comes or changes, in the order of the changes; for the order of showing see
\`injection\` and \`chunk\`. With \`after\` (a cursor) it replays what changed behind it and then follows, without gap or
duplicate: '0' replays everything. Without \`after\` it follows from now. A turn that changed twice before it was watched is
replayed once, as it is. A \`t-\` slug follows that one turn.`;

@Resolver()
export class LiveResolver {
  @Subscription(() => TurnUpdate, {
    description: ABOUT,
    subscribe: ({ args, context }) => followTurns(context as Context, args),
  })
  @Allow({ auth: 'optional' })
  turnUpdated(
    @Root() update: TurnUpdate,
    @Arg('slug', () => String, { description: 'c-... or t-...; the latter is itself the grant.' }) _slug: string,
    @Arg('viewerToken', () => String, { nullable: true }) _viewerToken?: string | null,
    @Arg('key', () => String, { nullable: true, description: 'Key of an access link.' }) _key?: string | null,
    @Arg('after', () => String, { nullable: true, description: 'Cursor of the last update that was seen.' })
    _after?: string | null,
  ): TurnUpdate {
    return update;
  }
}

async function followTurns(
  { services, principal, sink: ownSink }: Context,
  request: LiveRequest,
): Promise<AsyncIterable<unknown>> {
  let leave = (): void => {};
  if (ownSink) {
    // The sink writes the updates; only the result that says why there are no more is yielded here.
    const results = new BoundedQueue<ExecutionResult>(1, () => leave());
    leave = await services.live.join(principal, request, ownSink, (error) => endWith(results, error));
    return results;
  }
  const queue = new BoundedQueue<TurnUpdate>(QUEUED_UPDATES, () => leave());
  const sink: LiveSink<TurnUpdate> = {
    ...intoQueue(queue),
    encoder: services.live.objectEncoder,
    revoked: () => queue.end(new PlatformError('UNAUTHENTICATED', 'The access to this conversation was taken back.')),
  };
  leave = await services.live.join(principal, request, sink, (error) => queue.end(error));
  return queue;
}

/** An error of ours is sent as a result of the subscription, which then completes; any other ends the connection. */
function endWith(results: BoundedQueue<ExecutionResult>, error: unknown): void {
  const isOurs = error instanceof PlatformError;
  if (isOurs) results.push({ errors: [new GraphQLError(error.message, { originalError: error })] });
  results.end(isOurs ? undefined : error);
}
