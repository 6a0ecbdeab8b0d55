/** Talks with the embedded responder as the services do: prompt, reply, history. */
import { createResponder } from '../../../src/engines/embedded/chat/responder.ts';
import { type HistoryItem, type PersonaInput, personaPrompt } from '../../../src/persona/prompt.ts';

/** A Wednesday. */
export const NOW = new Date(2026, 6, 15, 14, 5);
export const responder = createResponder({ now: () => NOW });

export async function replyTo(input: Partial<PersonaInput>): Promise<string> {
  const prompt = personaPrompt({
    name: 'Mira',
    knowledge: [],
    memories: [],
    task: 'chat',
    history: [],
    userText: '',
    ...input,
  });
  const { content } = await responder.doGenerate({ prompt });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** All replies of a conversation. */
export async function converse(lines: string[], input: Partial<PersonaInput> = {}): Promise<string[]> {
  const history: HistoryItem[] = [];
  const replies: string[] = [];
  for (const userText of lines) {
    const reply = await replyTo({ ...input, history: [...history], userText });
    history.push({ role: 'user', text: userText }, { role: 'avatar', text: reply });
    replies.push(reply);
  }
  return replies;
}
