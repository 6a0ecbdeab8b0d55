import { type Html, html } from './html.ts';

/** The hidden field that proves a form is ours. */
export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}
