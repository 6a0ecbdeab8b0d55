/**
 * Window messages to the embedding page: `{type: 'avatar:state', state, muted}` and `{type: 'avatar:turn',
 * phase: 'start' | 'end' | 'failed', turnId, role, output}`. No text and no address: any site may be the parent.
 */

/** One message. `output` is null where the turn has not said yet what it will be. */
export type ParentMessage =
  | { type: 'avatar:state'; state: string; muted: boolean }
  | { type: 'avatar:turn'; phase: 'start' | 'end' | 'failed'; turnId: string; role: string; output: string | null };

export function notifyParent(message: ParentMessage): void {
  if (window.parent !== window) window.parent.postMessage(message, '*');
}
