/**
 * One turn of a transcript as HTML: used by the server for the first view and by the page's script for every change, so
 * that both look alike. Runs in Node and in the browser.
 */
import { type Html, html } from './html.ts';
import { thumbnail } from './thumbnail.ts';
import { clockTime, type TurnData } from './turn-data.ts';

/** Who speaks the avatar's turns. */
export interface Speaker {
  name: string;
  still: string | null;
  /** Set for the owner, whose script does it. */
  mayDelete?: boolean;
}

const DELETE_ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 3h6l1 2h4v2H4V5h4zM6 9h12l-1 12H7z"/></svg>`;

interface PlacedTurn {
  turn: TurnData;
  injection: number;
  chunk: number;
}

/** A turn in the list of a transcript, with its place, by which the script adds what comes later. */
export function turnItem({ turn, injection, chunk }: PlacedTurn, speaker: Speaker): Html {
  return html`<li class="turn ${turn.role}" id="${turn.id}" data-status="${turn.status}" data-place="${injection}.${chunk}">${turnBody(turn, speaker)}</li>`;
}

/** What stands inside the item; drawn again when the turn changes. */
export function turnBody(turn: TurnData, { name, still, mayDelete }: Speaker): Html {
  const text = turn.avatarText ?? turn.userText;
  const isPending = turn.status === 'pending' || (turn.status === 'audio' && turn.output === 'video');
  const who = turn.role === 'user' ? 'You' : name;
  return html`
<div class="face" aria-hidden="true">${turn.role === 'avatar' && (still ? html`<img src="${thumbnail(still, 96)}" alt="" width="40" height="40" loading="lazy">` : html`<span>${[...name][0] ?? '?'}</span>`)}</div>
<div class="bubble"><span class="visually-hidden">${who}: </span>
  ${turn.status === 'error' ? html`<p class="failed">${turn.errorMessage ?? 'This reply failed.'}</p>` : text ? html`<p class="text" dir="auto">${text}</p>` : html`<p class="typing" role="status"><span class="visually-hidden">${name} is writing</span><i></i><i></i><i></i></p>`}
  ${turn.status !== 'error' && mediaRow(turn, isPending)}
  ${mayDelete && html`<button class="turn-delete" type="button" data-delete="${turn.id}" aria-label="Delete this" title="Delete this">${DELETE_ICON}</button>`}
</div>`;
}

function mediaRow(turn: TurnData, isPending: boolean): Html | null {
  const src = turn.output === 'video' ? turn.videoUrl : turn.audioUrl;
  if (turn.output && src) {
    const kind = turn.output === 'video' ? 'video' : 'audio';
    return html`<p class="media-row"><a class="play" href="${turn.shareUrl ?? src}" data-play="${kind}" data-src="${src}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M8 5.5v13l11-6.5z"/></svg>Play ${kind} <span class="time">${turn.seconds && clockTime(turn.seconds)}</span></a>
    ${turn.shareUrl && html`<a class="more" href="${turn.shareUrl}">Share</a>`}</p>`;
  }
  if (turn.output && isPending && turn.avatarText) {
    return html`<p class="media-row muted small">Making the ${turn.output} …</p>`;
  }
  return turn.mediaError ? html`<p class="media-row muted small">${turn.mediaError}</p>` : null;
}
