/** What a library draws as it goes, put right each time: names and levels that it leaves out. */
export function watch(root: HTMLElement, mend: (root: HTMLElement) => void): void {
  let isDue = false;
  const soon = (): void => {
    if (isDue) return;
    isDue = true;
    // Behind all that is drawn in one go.
    queueMicrotask(() => {
      isDue = false;
      mend(root);
    });
  };
  new MutationObserver(soon).observe(root, { childList: true, subtree: true, attributeFilter: ['aria-controls'] });
  soon();
}
