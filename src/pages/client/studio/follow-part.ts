/** A part of a page that says how far something is, shown anew until it has ended: it has `data-waiting` for so long. */

const LOOK_MS = 2_000;

/** Looks at the page again every two seconds while the part waits; what fails is tried again. */
export function followPart(id: string): void {
  const later = (): void => void setTimeout(look, LOOK_MS);
  async function look(): Promise<void> {
    const answer = await fetch(location.href).catch(() => undefined);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined;
    const fresh = page?.getElementById(id);
    if (fresh) document.getElementById(id)?.replaceWith(fresh);
    if (document.querySelector(`#${id}[data-waiting]`)) later();
  }
  if (document.querySelector(`#${id}[data-waiting]`)) later();
}
