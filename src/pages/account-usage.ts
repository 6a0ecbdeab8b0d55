/** What an account used by day and kind: bars for the eye, drawn here, and the same figures as tables. */
import type { AccountView } from './account-view.ts';
import { credits } from './credit-amount.ts';
import { type Html, html } from './html.ts';
import type { AccountData } from './operations.ts';

type Usage = AccountData['usage'];

const KINDS = { turn: 'Conversations', speech: 'Speech', image: 'Images', video: 'Videos' } as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Of the drawing, in its own units. */
const CHART = { width: 600, height: 160, gap: 4 };

const sum = (usage: Usage): number => usage.reduce((all, { credits: amount }) => all + amount, 0);

export function usageSection({ site, data: { usage } }: AccountView): Html {
  const today = Math.floor(site.clock.now() / DAY_MS);
  const days = Array.from({ length: DAYS }, (_, i) =>
    new Date((today - DAYS + 1 + i) * DAY_MS).toISOString().slice(0, 10),
  );
  const kinds = NAMES.filter((kind) => usage.some((one) => one.kind === kind));
  return html`<section class="panel card" aria-labelledby="usage"><h2 id="usage">Usage of the last ${DAYS} days</h2>
  ${usage.length === 0 ? html`<p class="muted">Nothing used yet. Texts are free; sound, images and videos cost credits.</p>` : html`${chart(days, usage)}${totals(kinds, usage)}${byDay(days, kinds, usage)}`}
  </section>`;
}

/** A bar a day, its kinds stacked; what it shows stands in the tables below it. */
function chart(days: readonly string[], usage: Usage): Html {
  const most = Math.max(...days.map((day) => sum(usage.filter((one) => one.day === day))));
  const step = CHART.width / days.length;
  const bars = days.flatMap((day, i) => {
    let top = CHART.height;
    return NAMES.flatMap((kind) => {
      const amount = sum(usage.filter((one) => one.day === day && one.kind === kind));
      if (amount === 0) return [];
      // What was used is seen, however little it is.
      const height = Math.max(2, (amount / most) * CHART.height);
      top -= height;
      return [
        html`<rect class="bar ${kind}" x="${(i * step + CHART.gap / 2).toFixed(1)}" y="${top.toFixed(1)}" width="${(step - CHART.gap).toFixed(1)}" height="${height.toFixed(1)}"/>`,
      ];
    });
  });
  return html`<figure class="chart"><svg viewBox="0 -8 ${CHART.width} ${CHART.height + 9}" role="img" aria-label="Credits used by day; the tables below have the figures.">
    <path class="axis" d="M0 ${CHART.height}H${CHART.width}"/>${bars}</svg>
    <figcaption class="small muted"><span class="most">Most on one day: ${credits(most)} credits</span><span>${days[0]}</span><span>${days.at(-1)}</span></figcaption></figure>`;
}

function totals(kinds: readonly Kind[], usage: Usage): Html {
  return html`<table class="usage"><caption class="visually-hidden">Used by kind</caption>
  <thead><tr><th scope="col">Kind</th><th scope="col">Paid for</th><th scope="col">Credits</th></tr></thead>
  <tbody>${kinds.map((kind) => {
    const lines = usage.filter((one) => one.kind === kind);
    const count = lines.reduce((all, one) => all + one.count, 0);
    return html`<tr><th scope="row"><span class="swatch ${kind}" aria-hidden="true"></span>${KINDS[kind]}</th><td>${count}</td><td>${credits(sum(lines))}</td></tr>`;
  })}</tbody>
  <tfoot><tr><th scope="row">All</th><td>${usage.reduce((all, one) => all + one.count, 0)}</td><td>${credits(sum(usage))}</td></tr></tfoot></table>`;
}

function byDay(days: readonly string[], kinds: readonly Kind[], usage: Usage): Html {
  const used = days.filter((day) => usage.some((one) => one.day === day)).reverse();
  return html`<details><summary class="small">By day</summary><div class="table-scroll" tabindex="0" role="region" aria-label="Used by day"><table class="usage">
  <thead><tr><th scope="col">Day</th>${kinds.map((kind) => html`<th scope="col">${KINDS[kind]}</th>`)}</tr></thead>
  <tbody>${used.map((day) => html`<tr><th scope="row">${day}</th>${kinds.map((kind) => html`<td>${credits(sum(usage.filter((one) => one.day === day && one.kind === kind)))}</td>`)}</tr>`)}</tbody></table></div></details>`;
}
