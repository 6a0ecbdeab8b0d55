/** Voices to listen to: links with `data-sample` play in place, one at a time; without scripts they open the sound. */
export function listenTo(list: HTMLElement, player: HTMLAudioElement): void {
  list.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-sample]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    player.src = link.dataset.sample ?? '';
    // Refused where the browser wants another click.
    void player.play().catch(() => {});
  });
}
