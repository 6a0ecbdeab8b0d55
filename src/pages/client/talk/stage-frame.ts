/** The live stage in a frame of the same origin: what the page around it asks of it. */
import type { Interruption } from '../viewer/player.ts';
import type { AvatarStage } from '../viewer/stage.ts';

/** State of the stage in the frame. */
export type StageFrameState = AvatarStage['state'];

export class StageFrame {
  readonly #frame: HTMLIFrameElement;

  /** @param changed called whenever the stage begins or ends to play or to wait */
  constructor(frame: HTMLIFrameElement, changed: (state: StageFrameState) => void) {
    this.#frame = frame;
    window.addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow && data?.type === 'avatar:state') changed(data.state);
    });
  }

  /** As `Player.interrupt`. */
  interrupt(options: { isWaitedFor: boolean }): Interruption | undefined {
    return this.#stage?.interrupt(options);
  }

  pause(): void {
    this.#stage?.pause();
  }

  /** Undefined until the frame's own script has run. */
  get #stage(): AvatarStage | undefined {
    const stage = this.#frame.contentDocument?.getElementById('stage') as AvatarStage | null | undefined;
    return stage && 'interrupt' in stage ? stage : undefined;
  }
}
