/**
 * What an embedding page is told, as window messages: `{type: 'avatar:state', state, muted}` and `{type: 'avatar:turn',
 * phase: 'start' | 'end' | 'failed', turnId, role, output}`. No text and no address: the parent is whoever embeds us.
 */

/** One message. `output` is null where the turn has not said yet what it will be. */
export type ParentMessage =
  | { type: 'avatar:state'; state: string; muted: boolean }
  | { type: 'avatar:turn'; phase: 'start' | 'end' | 'failed'; turnId: string; role: string; output: string | null };

export function notifyParent(message: ParentMessage): void {
  if (window.parent !== window) window.parent.postMessage(message, '*');
}
