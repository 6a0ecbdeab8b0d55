/** Requests to copy on the developers' page, with the person's own ids in them: one for each way to the platform. */
import { type Html, html } from '../html.ts';
import type { DevelopersView } from './developers-sections.ts';

/** A program to begin with. */
export interface Example {
  title: string;
  /** What it is good for, and what there is to know. */
  about: Html;
  code: string;
}

/** Developers put a key of theirs in its place; a key that was just made stands there already, as it does above. */
const PLACE = 'YOUR_KEY';
const keyOf = ({ flash }: DevelopersView): string => (flash.at === 'keys' && flash.secret?.value) || PLACE;

/** By the names under which the page links to them. */
function examplesOf(view: DevelopersView): Record<string, Example> {
  const { pageRequest, data } = view;
  const key = keyOf(view);
  const { baseUrl, sitePath } = pageRequest.site;
  const [avatar] = data.avatars.nodes;
  const [conversation] = data.conversations.nodes;
  const slug = conversation?.shareSlug ?? 'c-YOUR-CONVERSATION';
  const avatarId = avatar?.avatarId ?? 'YOUR_AVATAR';
  return {
    rest: {
      title: 'REST: say something',
      about: html`Every path is in the <a href="${sitePath}/docs">REST API</a>.`,
      code: `curl -s -X POST ${baseUrl}/conversations/${slug}/turn \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"userText":"Hello, who are you?","output":"text"}'`,
    },
    typescript: {
      title: 'TypeScript: begin a conversation and read it live',
      about: html`With the client of this platform, for Node, browsers, Deno and Bun: typed, with retries, a live feed that survives lost connections, uploads, and hooks for React. It lies in <code>clients/typescript</code> of the source.`,
      code: `import { createClient, followConversation, rest } from 'avatar-platform-client';

const client = createClient({ url: '${baseUrl}', token: '${key}' });
const api = rest(client);
const avatar = { avatarId: '${avatarId}', avatarOwnerUserId: '${data.me.userId}' };
const { conversationId, shareSlug } = await api.createConversation(avatar);
const stop = followConversation(client, { slug: shareSlug }, ({ turns }) => {
  const reply = turns.findLast(({ role }) => role === 'avatar');
  console.log(reply?.status, reply?.avatarText);
  if (reply?.status === 'ready') stop();
});
await api.injectTurn({ conversationId, userText: 'Hello, who are you?', output: 'text' });`,
    },
    subscriptions: {
      title: 'GraphQL: follow everything that is yours',
      about: html`Over WebSocket (<code>graphql-transport-ws</code>) at <code>${baseUrl.replace(/^http/, 'ws')}/graphql</code>, with any client such as <code>graphql-ws</code>. Each update has a <code>cursor</code>: hand the last one as <code>after</code> when you come back within a day, and nothing is missed or sent twice. The query <code>updateCursor</code> is the cursor of now; other subscriptions are of one kind each.`,
      code: `import { createClient } from 'graphql-ws';

const client = createClient({
  url: '${baseUrl.replace(/^http/, 'ws')}/graphql',
  connectionParams: { authorization: 'Bearer ${key}' },
});
const query = \`subscription ($after: String) {
  events(after: $after) {
    cursor
    kind
    ... on ConversationUpdate { conversation { shareSlug title } }
    ... on VideoUpdate { video { slug status progress } }
    ... on BalanceUpdate { balance { available } }
  }
}\`;
for await (const { data } of client.iterate({ query, variables: { after: null } })) console.log(data?.events);`,
    },
    streams: {
      title: 'Server-Sent Events: the same where no WebSocket gets through',
      about: html`As <code>graphql-sse</code> has it, one stream for each subscription; resumed by <code>after</code> as well.`,
      code: `curl -sN ${baseUrl}/graphql \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Accept: text/event-stream' \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"subscription { turnUpdated(slug: \\"${slug}\\", after: \\"0\\") { cursor turn { role userText avatarText status } } }"}'`,
    },
    webhooks: {
      title: 'Webhooks: let your server be notified',
      about: html`Add one <a href="#webhooks">above</a> and keep its secret. Messages are signed as Standard Webhooks has it: <code>verify</code> throws for what is not from here.`,
      code: `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
createServer(async (request, response) => {
  try {
    const { type, data } = webhook.verify(await text(request), request.headers);
    console.log(type, data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(process.env.PORT ?? 8080, () => console.log('ready'));`,
    },
    tools: {
      title: 'MCP: your avatars as tools of Claude and other models',
      about: html`They find avatars, talk with them and make speech, images and videos. Their users sign in when the program asks.`,
      code: `claude mcp add --transport http avatars ${baseUrl}/mcp`,
    },
  };
}

/** The section with all of them. */
export function examplesSection(view: DevelopersView): Html {
  return html`<section class="panel card" aria-labelledby="examples"><h2 id="examples">Examples with your ids</h2>
  <p class="muted small">${keyOf(view) === PLACE ? html`Replace <code>${PLACE}</code> with one of your keys.` : 'They show your new key until you leave this page.'}</p>
  ${Object.entries(examplesOf(view)).map(
    ([name, { title, about, code }]) =>
      html`<div class="stack tight example"><h3 class="small" id="example-${name}">${title}</h3><p class="small muted">${about}</p>
    <div class="copied-from"><pre class="code" tabindex="0" aria-labelledby="example-${name}">${code}</pre><button class="button small-button" type="button" data-copy hidden>Copy<span class="visually-hidden"> the example</span></button></div></div>`,
  )}</section>`;
}
