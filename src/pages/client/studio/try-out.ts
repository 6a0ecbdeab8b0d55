/** Talking with a personality that is not saved: what was said is kept here alone, and sent along with the next words. */
import { sentenceOf, sessionClient } from '../lib/client.ts';
import { TRY_PERSONA } from '../lib/operations.ts';
import { byId, within } from '../lib/page.ts';

/** What was said before that is sent along, newest last. */
const MOST_EXCHANGES = 20;

/** How the page calls what the server names. */
const FIELDS = { displayName: 'The name', personalityPrompt: 'The personality', userText: 'What you say' };

/** Brings the part of an avatar's page to life that answers as the form beside it stands. */
export function tryOut(avatarId: string): void {
  const form = byId<HTMLFormElement>('try-form');
  const persona = byId<HTMLFormElement>('persona-form');
  const [words, list, problem] = [byId<HTMLInputElement>('try-words'), byId('tried'), byId('try-problem')];
  const again = byId<HTMLButtonElement>('try-again');
  const say = within<HTMLButtonElement>(form, 'button');
  let history: { userText: string; avatarText: string }[] = [];
  byId('try-out').hidden = false;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (say.disabled) return;
    const said = words.value.trim();
    const given = new FormData(persona);
    const input = {
      avatarId,
      displayName: String(given.get('name') ?? ''),
      personalityPrompt: String(given.get('persona') ?? ''),
      userText: said,
      history: history.slice(-MOST_EXCHANGES),
    };
    problem.hidden = true;
    say.disabled = true;
    const mine = line('You', said);
    const theirs = line('Avatar', '…');
    try {
      const { text } = (await sessionClient().graphql(TRY_PERSONA, { input })).tryPersona;
      theirs.words.textContent = text;
      history.push({ userText: said, avatarText: text });
      words.value = '';
      again.hidden = false;
    } catch (error) {
      for (const one of [mine, theirs]) one.remove();
      problem.textContent = sentenceOf(error, FIELDS);
      problem.hidden = false;
    }
    say.disabled = false;
    list.scrollTop = list.scrollHeight;
  });
  again.addEventListener('click', () => {
    history = [];
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
