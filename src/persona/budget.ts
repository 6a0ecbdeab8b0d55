/**
 * How much of everything goes into a prompt. Tokens are estimated, never counted by a model's tokenizer: engines
 * differ, and a small margin costs less than a tokenizer in the kernel.
 */

/** Shares of the prompt. With a persona of 4000 characters and the rules, all together stay below 6 000 tokens. */
export const KNOWLEDGE_TOKENS = 1200;
/** Most tokens of memories in a prompt. */
export const MEMORY_TOKENS = 800;
/** Most tokens of the conversation so far in a prompt. */
export const HISTORY_TOKENS = 1600;
/** One passage or memory at most. */
export const ITEM_TOKENS = 400;

const BYTES_PER_TOKEN = 4;

/** Roughly how many tokens a text is: a quarter of its UTF-8 bytes, which also holds for scripts of wide characters. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The text's beginning within the limit, cut after a sentence where there is one in its second half, else a word. */
export function cutToTokens(text: string, tokens: number): string {
  const whole = text.trim();
  if (estimateTokens(whole) <= tokens) return whole;
  let room = tokens * BYTES_PER_TOKEN;
  let end = 0;
  for (const char of whole) {
    room -= Buffer.byteLength(char);
    if (room < 0) break;
    end += char.length;
  }
  const head = whole.slice(0, end);
  const sentence = head.search(/[.!?。！？](?=[^.!?。！？]*$)/u);
  if (sentence > head.length / 2) return head.slice(0, sentence + 1);
  const space = head.lastIndexOf(' ');
  return space > head.length / 2 ? head.slice(0, space) : head;
}
