/** The voices that the user made: to listen to, and to delete after a confirmation. */
import { type Html, html } from './html.ts';
import type { DeleteVoiceData } from './operations.ts';
import type { PageContext } from './page-context.ts';
import type { PageSession } from './session.ts';
import { askFirst } from './studio/parts.ts';

interface OwnVoices {
  site: PageContext;
  session: PageSession;
  voices: readonly { id: string; name: string; source: string }[];
  /** Where the form that deletes one is sent. */
  action: string;
}

/** Where a voice is heard. */
export const sampleOf = ({ sitePath }: PageContext, voiceId: string): string =>
  `${sitePath}/account/voices/sample?baseVoiceId=${encodeURIComponent(voiceId)}`;

/** A line for each voice of one's own; nothing where there is none. */
export function ownVoices({ site, session, voices, action }: OwnVoices): Html | false {
  const own = voices.filter(({ source }) => source === 'custom');
  if (own.length === 0) return false;
  return html`<ul class="lines" id="own-voices">${own.map(({ id, name }) => {
    const sample = sampleOf(site, id);
    return html`<li class="line"><strong>${name}</strong><div class="row"><a class="button" href="${sample}" data-sample="${sample}" aria-label="Play ${name}">Play</a>
      ${askFirst({ label: 'Delete', question: `Avatars that speak as ${name} get the voice that it was made from.`, yes: 'Delete it', action, csrf: session.csrf, fields: { voiceId: id } })}</div></li>`;
  })}</ul>`;
}

/** What was done, in words. */
export function voiceDeleted({ deleteCustomVoice: { changedAvatars, ttsVoiceId } }: DeleteVoiceData): string {
  if (changedAvatars === 0) return 'The voice is deleted.';
  const who = changedAvatars === 1 ? 'One avatar' : `${changedAvatars} avatars`;
  const has = changedAvatars === 1 ? 'has' : 'have';
  return `The voice is deleted. ${who} ${has} ${ttsVoiceId ? 'the voice that it was made from' : 'no voice'} now.`;
}
