/** Small pieces that pages of the studio share. */

import { csrfField } from '../csrf-field.ts';
import type { Flash } from '../flash.ts';
import { type Html, html } from '../html.ts';

/** What the form before this page did; of its own section where the page has several. */
export function flashNotice({ at, done, problem }: Flash, section?: string): Html | false {
  if (section !== undefined && at !== section) return false;
  return html`${problem && html`<p class="notice bad" role="alert">${problem}</p>`}${done && html`<p class="notice" role="status">${done}</p>`}`;
}

interface Question {
  label: string;
  question: string;
  yes: string;
  action: string;
  csrf: string;
  fields: Record<string, string>;
}

/** A button that asks before it does what cannot be undone; works by keyboard and without scripts. */
export function askFirst({ label, question, yes, action, csrf, fields }: Question): Html {
  return html`<details class="ask"><summary class="button">${label}</summary>
    <form method="post" action="${action}">${csrfField(csrf)}${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}<p class="small">${question}</p><button class="button danger">${yes}</button></form></details>`;
}
