/** The talk box: what is typed is sent, and sending or stopping while the avatar speaks interrupts it. */
import { sentenceOf } from '../lib/client.ts';
import { byId, post } from '../lib/page.ts';
import type { StageFrame, StageFrameState } from './stage-frame.ts';
import { type TalkOperations, waysOn } from './talk-operations.ts';

/** The fields that say who sends: a session's form token, a visitor's own. */
function senderOf(form: HTMLFormElement): Record<string, string> {
  const sent = [...new FormData(form)].filter(([name]) => name === 'csrf' || name === 'visitorToken');
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
}

/** The form in which one writes or speaks to an avatar. */
export class TalkBox {
  readonly #form: HTMLFormElement;
  readonly #stage: StageFrame;
  readonly #operations: TalkOperations;
  readonly #words = byId<HTMLTextAreaElement>('words');
  readonly #stop = byId<HTMLButtonElement>('stop');
  /** What was said is sent one after the other. */
  #sent: Promise<void> = Promise.resolve();

  constructor(form: HTMLFormElement, stage: StageFrame, operations: TalkOperations) {
    this.#form = form;
    this.#stage = stage;
    this.#operations = operations;
    this.#words.addEventListener('input', () => this.#grow());
    this.#words.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
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

  /** Silence at once; the server learns where, so that the avatar remembers what was heard. */
  async interrupt({ isWaitedFor = true } = {}): Promise<void> {
    const at = this.#stage.interrupt({ isWaitedFor });
    if (isWaitedFor || at) this.#stop.hidden = true;
    if (!at) return;
    try {
      await this.#operations.interrupt(at);
    } catch (error) {
      this.showError(sentenceOf(error));
    }
  }

  /** Sends these words behind all that was sent before; what is half typed stays. Those that are refused come into the box. */
  async say(words: string): Promise<void> {
    if (words.trim() === '') return;
    const output = String(new FormData(this.#form).get('output'));
    byId('problem').hidden = true;
    // Sent first, so that the reply to these words knows what was heard of the one before. A reply that has not begun is
    // still wanted: who goes on writing has not said that it is not.
    const interrupted = this.interrupt({ isWaitedFor: false });
    const before = this.#sent;
    this.#sent = (async () => {
      await Promise.all([before, interrupted]);
      try {
        await this.#operations.say(words, output);
      } catch (error) {
        this.#words.value = [words, this.#words.value].filter((text) => text !== '').join('\n');
        this.#grow();
        this.showError(sentenceOf(error));
        this.#offer(error);
      }
    })();
    await this.#sent;
  }

  /** The words of a recording, by the platform. */
  async transcribe(recording: Blob): Promise<string> {
    const body = new FormData();
    for (const [name, value] of Object.entries(senderOf(this.#form))) body.set(name, value);
    body.set('audio', recording, 'speech');
    const { transcribe } = await post<{ transcribe?: { text: string } }>(this.#form.dataset.transcription ?? '', body);
    return transcribe?.text ?? '';
  }

  showError(text: string): void {
    const problem = byId('problem');
    problem.textContent = text;
    problem.hidden = false;
  }

  /** The way on: where there are credits, and where they are missing the same words for an answer in writing, which is free. */
  #offer(error: unknown): void {
    const { code, link } = waysOn(error);
    const output = this.#form.elements.namedItem('output');
    const ways: HTMLElement[] = [];
    if (code === 'INSUFFICIENT_CREDITS' && output instanceof HTMLSelectElement && output.value !== 'text') {
      const write = document.createElement('button');
      write.type = 'button';
      write.className = 'button small-button';
      write.textContent = 'Answer in writing';
      write.addEventListener('click', () => {
        output.value = 'text';
        this.#submit();
      });
      ways.push(write);
    }
    if (link) ways.push(Object.assign(document.createElement('a'), { href: link.href, textContent: link.text }));
    byId('problem').append(...ways.flatMap((way) => [' ', way]));
  }

  #submit(): void {
    const words = this.#words.value;
    this.#words.value = '';
    this.#grow();
    void this.say(words);
    this.#words.focus();
  }

  #grow(): void {
    this.#words.style.height = 'auto';
    this.#words.style.height = `${Math.min(this.#words.scrollHeight + 2, 160)}px`;
  }
}
