/** Starts the GraphQL IDE (ruru) from our own server's files, so that it works without internet. */
import { byId, pageData } from './lib/page.ts';

interface Ide {
  React: { createElement(type: unknown, props: object): unknown };
  createRoot(element: HTMLElement): { render(element: unknown): void };
  Ruru: unknown;
}

const page = pageData<{ graphql: string; static: string }>();
const worker = (file: string): Worker => new Worker(new URL(page.static + file, location.href), { type: 'module' });
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string) =>
      worker({ json: 'jsonWorker.js', graphql: 'graphqlWorker.js' }[label] ?? 'editorWorker.js'),
  },
});
const { React, createRoot, Ruru } = (await import(new URL(`${page.static}ruru.js`, location.href).href)) as Ide;
const socket = new URL(page.graphql, location.href);
socket.protocol = socket.protocol.replace('http', 'ws');
createRoot(byId('ruru-root')).render(
  React.createElement(Ruru, {
    endpoint: page.graphql,
    subscriptionEndpoint: socket.href,
    staticPath: page.static,
  }),
);
