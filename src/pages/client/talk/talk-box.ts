/** The owner's talk box: what is typed is sent, and whoever sends or stops while the avatar speaks interrupts it. */
import { byId } from '../lib/page.ts';
import type { StageFrame, StageFrameState } from './stage-frame.ts';

/** Posts a form's fields, with others in their place, to an address; throws the page's sentence when it is refused. */
export async function post(
  form: HTMLFormElement,
  { action = form.action, fields }: { action?: string; fields?: Record<string, string> } = {},
): Promise<Record<string, never>> {
  const { csrf, ...others } = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const body = new URLSearchParams({ ...(fields ?? others), csrf: csrf ?? '' });
  const response = await fetch(action, { method: 'POST', headers: { accept: 'application/json' }, body });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? 'That did not work. Please try again.');
  return answer;
}

export class TalkBox {
  readonly #form: HTMLFormElement;
  readonly #stage: StageFrame;
  readonly #words = byId<HTMLTextAreaElement>('words');
  readonly #send = byId<HTMLButtonElement>('send');
  readonly #stop = byId<HTMLButtonElement>('stop');

  constructor(form: HTMLFormElement, stage: StageFrame) {
    this.#form = form;
    this.#stage = stage;
    this.#words.addEventListener('input', () => this.#grow());
    this.#words.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#stop.addEventListener('click', () => {
      void this.interrupt();
      this.#words.focus();
    });
  }

  /** What the avatar does: it can be stopped while it speaks or thinks. */
  show(state: StageFrameState): void {
    this.#stop.hidden = state !== 'playing' && state !== 'thinking';
  }

  /** Silence at once; the server is told where, so that the avatar remembers what was heard. */
  async interrupt(): Promise<void> {
    const at = this.#stage.interrupt();
    this.#stop.hidden = true;
    if (!at) return;
    const { turnId, heardMs } = at;
    const fields = { turnId, ...(heardMs === null ? {} : { heardMs: String(heardMs) }) };
    try {
      await post(this.#form, { action: this.#form.dataset.interrupt ?? '', fields });
    } catch (error) {
      this.complain((error as Error).message);
    }
  }

  /** Sends these words as if they had been typed. */
  async say(words: string): Promise<void> {
    this.#words.value = words;
    await this.#submit();
  }

  /** The words of a recording, by the platform. */
  async transcribe(recording: Blob): Promise<string> {
    const body = new FormData();
    body.set('csrf', String(new FormData(this.#form).get('csrf') ?? ''));
    body.set('audio', recording, 'speech');
    const response = await fetch(this.#form.dataset.transcription ?? '', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
    });
    const answer = (await response.json()) as { transcribe?: { text: string }; error?: string };
    if (!response.ok) throw new Error(answer.error ?? 'That was not understood. Please try again.');
    return answer.transcribe?.text ?? '';
  }

  complain(text: string): void {
    const problem = byId('problem');
    problem.textContent = text;
    problem.hidden = false;
  }

  async #submit(): Promise<void> {
    if (this.#send.disabled || this.#words.value.trim() === '') return;
    this.#send.disabled = true;
    byId('problem').hidden = true;
    const sent = Object.fromEntries([...new FormData(this.#form)].map(([name, value]) => [name, String(value)]));
    this.#words.value = '';
    this.#grow();
    try {
      // Told first, so that the reply to these words knows what was heard of the one before.
      await this.interrupt();
      await post(this.#form, { fields: sent });
    } catch (error) {
      this.#words.value = sent.userText ?? '';
      this.#grow();
      this.complain((error as Error).message);
    } finally {
      this.#send.disabled = false;
      this.#words.focus();
    }
  }

  #grow(): void {
    this.#words.style.height = 'auto';
    this.#words.style.height = `${Math.min(this.#words.scrollHeight + 2, 160)}px`;
  }
}
