/** The viewer by keyboard: space or K, M, F, C, T, arrows. Keys typed into a control stay with the control. */
import type { AvatarStage } from './stage.ts';

/** What keys do besides playing. */
export interface KeyActions {
  captions(): void;
  drawer(): void;
  fullscreen(): void;
}

const VOLUME_STEP = 0.1;

export function bindKeys(stage: AvatarStage, actions: KeyActions): void {
  const step = (by: 1 | -1): void => {
    const entry = stage.playlist.neighbour(stage.entry, by);
    if (entry) stage.replay(entry);
  };
  const louder = (by: number): void => {
    stage.muted = false;
    stage.volume += by;
  };
  const keys: Record<string, () => void> = {
    ' ': () => (stage.paused ? void stage.play() : stage.pause()),
    m: () => (stage.muted = !stage.muted),
    f: actions.fullscreen,
    c: actions.captions,
    t: actions.drawer,
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => louder(VOLUME_STEP),
    ArrowDown: () => louder(-VOLUME_STEP),
  };
  keys.k = keys[' ']!;
  document.addEventListener('keydown', (event) => {
    const target = event.composedPath()[0] as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const isOnButton = target.closest?.('button, [role=button]') !== null || target.localName.startsWith('media-');
    if (event.key === ' ' && isOnButton) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
