/**
 * Parts of a page that a library draws lack what screen readers need: names of controls, levels of headings. `mend` adds it, now
 * and after each change of the page.
 */
export function keepAccessible(root: HTMLElement, mend: (root: HTMLElement) => void): void {
  let isDue = false;
  const soon = (): void => {
    if (isDue) return;
    isDue = true;
    // Once for all changes that the library makes together.
    queueMicrotask(() => {
      isDue = false;
      mend(root);
    });
  };
  new MutationObserver(soon).observe(root, { childList: true, subtree: true, attributeFilter: ['aria-controls'] });
  soon();
}
