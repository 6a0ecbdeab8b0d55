/**
 * Reads the server-sent events of a streamed chat completion. It knows the framing and the fields we use; it never
 * decides what they mean.
 */

/** The fields of a `chat.completion.chunk` that we read. */
export interface CompletionChunk {
  id?: string;
  model?: string;
  created?: number;
  choices?: {
    delta?: { content?: string | null; reasoning_content?: string | null; reasoning?: string | null };
    finish_reason?: string | null;
  }[];
  usage?: {
    prompt_tokens?: number;
    completion_tokens?: number;
    prompt_tokens_details?: { cached_tokens?: number };
    completion_tokens_details?: { reasoning_tokens?: number };
  } | null;
  error?: unknown;
}

/** A line longer than this is no chat completion. */
const MAX_LINE_CHARS = 1_000_000;

/** Yields each event, and 'done' at `[DONE]`. `heard` is called for every piece of bytes. Throws on broken JSON. */
export async function* completionEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<CompletionChunk | 'done'> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const bytes of body) {
    heard();
    open += decoder.decode(bytes, { stream: true });
    const lines = open.split(/\r\n|\n|\r(?!$)/);
    open = lines.pop() ?? '';
    if (open.length > MAX_LINE_CHARS) throw new Error('The chat server sent an endless line.');
    for (const line of lines) {
      const event = eventOf(line);
      if (event) yield event;
    }
  }
  const last = eventOf(open + decoder.decode());
  if (last) yield last;
}

function eventOf(line: string): CompletionChunk | 'done' | undefined {
  if (!line.startsWith('data:')) return undefined;
  const data = line.slice('data:'.length).trim();
  if (data === '') return undefined;
  return data === '[DONE]' ? 'done' : (JSON.parse(data) as CompletionChunk);
}
