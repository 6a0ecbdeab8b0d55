/** What of a page is about an update. */
import type { AccountUpdate } from '../../../../clients/typescript/src/graphql.ts';
import { lookOfConversation } from '../../self-updating-data.ts';

/** Whether anything on the page has to be shown anew because of it. */
export function regionsFor(update: AccountUpdate): boolean {
  const { kind, subjectId } = update;
  const regions = [...document.querySelectorAll<HTMLElement>(`[data-live~="${kind}"]`)];
  const isAbout = ({ dataset }: HTMLElement): boolean => (dataset.liveSubject ?? subjectId) === subjectId;
  return regions.some(isAbout) && !isShown(update);
}

/** A conversation changes with each turn, of which a list shows nothing. */
function isShown(update: AccountUpdate): boolean {
  if (update.__typename !== 'ConversationUpdate' || !update.conversation) return false;
  const item = document.getElementById(update.conversation.shareSlug);
  return item?.dataset.look === lookOfConversation(update.conversation);
}

/** Moves the bar of a video that is still being made, where it has one; false where more has to be shown. */
export function showProgress(update: AccountUpdate): boolean {
  if (update.__typename !== 'VideoUpdate' || update.video?.status !== 'rendering') return false;
  const bars = document.querySelectorAll<HTMLProgressElement>(`progress[data-video="${CSS.escape(update.subjectId)}"]`);
  for (const bar of bars) bar.value = update.video.progress;
  return bars.length > 0;
}
