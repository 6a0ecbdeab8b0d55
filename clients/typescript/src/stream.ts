/** One operation over Server-Sent Events, as the distinct connections mode of graphql-sse has it. */
import type { Client } from './client.ts';
import { type AvatarError, connectionError, graphqlError, restError } from './errors.ts';

/** What a stream reports. */
export interface StreamEvents {
  opened(): void;
  /** `next` with a result, or `complete`. */
  message(type: string, payload: unknown): void;
}

/** The server shows that it is there every twelve seconds: this long without a byte, and the connection is dead. */
const SILENCE_MS = 30_000;

/** Reads a subscription until its end. Returns why it was refused or lost; undefined where it just ended. */
export async function readStream(
  client: Client,
  operation: { query: string; variables: object },
  signal: AbortSignal,
  events: StreamEvents,
): Promise<AvatarError | undefined> {
  const { options, url } = client;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    heard();
    const authorization = await client.authorization();
    const response = await (options.fetch ?? fetch)(`${url}/graphql`, {
      method: 'POST',
      headers: {
        ...options.headers,
        ...(authorization && { authorization }),
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(operation),
      credentials: options.credentials ?? 'omit',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) return refusalOf(response.status, await response.text());
    events.opened();
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      heard();
      const parts = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) reportPart(part, events);
    }
    return undefined;
  } catch (error) {
    return connectionError('The server cannot be reached.', 0, error);
  } finally {
    clearTimeout(timer);
  }
}

/** One event; a part without a name is a sign of life. */
function reportPart(part: string, events: StreamEvents): void {
  const [, type] = /^event: (\w+)/m.exec(part) ?? [];
  const [, data] = /^data: ?(.+)/m.exec(part) ?? [];
  if (type) events.message(type, data && JSON.parse(data));
}

/** Why there is no stream, as GraphQL or the documented paths say it. */
function refusalOf(status: number, text: string): AvatarError {
  const failed = connectionError(`POST /graphql: answered with ${status}.`, status);
  try {
    const body = JSON.parse(text);
    return body.errors ? graphqlError(body.errors, status) : (restError(body, status, undefined) ?? failed);
  } catch {
    return failed;
  }
}
