/** Talking with a personality that is not saved: what was said is kept here alone, and sent along with the next words. */
import { byId, post, within } from '../lib/page.ts';

/** Lines of both that are sent along, newest last; even. */
const MOST_LINES = 40;

/** Brings the part of an avatar's page to life that answers as the form beside it stands. */
export function tryOut(): void {
  const form = byId<HTMLFormElement>('try-form');
  const persona = byId<HTMLFormElement>('persona-form');
  const [words, list, problem] = [byId<HTMLInputElement>('try-words'), byId('tried'), byId('try-problem')];
  const again = byId<HTMLButtonElement>('try-again');
  const say = within<HTMLButtonElement>(form, 'button');
  let lines: string[] = [];
  byId('try-out').hidden = false;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (say.disabled) return;
    const said = words.value.trim();
    const given = new FormData(persona);
    const body = new URLSearchParams({
      csrf: String(given.get('csrf')),
      name: String(given.get('name') ?? ''),
      persona: String(given.get('persona') ?? ''),
      words: said,
      history: JSON.stringify(lines.slice(-MOST_LINES)),
    });
    problem.hidden = true;
    say.disabled = true;
    const mine = line('You', said);
    const theirs = line('Avatar', '…');
    try {
      const { text } = await post<{ text: string }>(form.action, body);
      theirs.words.textContent = text;
      lines.push(said, text);
      words.value = '';
      again.hidden = false;
    } catch (error) {
      for (const one of [mine, theirs]) one.remove();
      problem.textContent = (error as Error).message;
      problem.hidden = false;
    }
    say.disabled = false;
    list.scrollTop = list.scrollHeight;
  });
  again.addEventListener('click', () => {
    lines = [];
    list.replaceChildren();
    again.hidden = true;
    words.focus();
  });

  function line(of: 'You' | 'Avatar', text: string): { remove(): void; words: HTMLElement } {
    const [item, who, words] = [
      document.createElement('li'),
      document.createElement('span'),
      document.createElement('span'),
    ];
    item.className = of.toLowerCase();
    who.className = 'visually-hidden';
    who.textContent = `${of}: `;
    words.dir = 'auto';
    words.textContent = text;
    item.append(who, words);
    list.append(item);
    list.scrollTop = list.scrollHeight;
    return { words, remove: () => item.remove() };
  }
}
