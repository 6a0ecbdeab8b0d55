/** What is typed or said, how it is answered, and the buttons: the same wherever one talks with an avatar. */
import type { TurnOutput } from '../kernel/media-options.ts';
import { type Html, html } from './html.ts';
import { icon } from './page.ts';

/** `only`: how an avatar answers that has no other way. In a frame it leaves the focus to the page around. */
export function talkBox(
  name: string,
  { only, isFramed }: { only?: TurnOutput | undefined; isFramed?: boolean } = {},
): Html {
  return html`<div class="talk-row">
        <label class="visually-hidden" for="words">Say something to ${name}</label>
        <textarea class="input" id="words" name="userText" rows="1" maxlength="500" placeholder="Say something …" required${!isFramed && html` autofocus`}></textarea>
        ${
          only
            ? html`<input type="hidden" name="output" value="${only}">`
            : html`<label class="visually-hidden" for="output">Answer as</label>
        <select class="input" id="output" name="output"><option value="video">Video</option><option value="audio">Audio</option><option value="text">Text</option></select>`
        }
        <button class="button" id="microphone" type="button" aria-pressed="false" aria-label="Speak" title="Click to talk hands-free, hold to talk" hidden>${icon('microphone')}</button>
        <button class="button" id="stop" type="button" aria-label="Stop" title="Stop" hidden>${icon('stop')}</button>
        <button class="button primary" id="send" aria-label="Send">${icon('send')} <span class="wide-only">Send</span></button>
      </div>`;
}
