/**
 * GraphQL over WebSocket (graphql-transport-ws) on the server's own port: subscriptions, queries and mutations.
 * Credentials come in connection_init, never from a cookie alone, so the page a socket is opened from does not matter.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Extra, Protocol, type ProtocolPorts } from './graphql-ws.transport.ts';
import { CLOSE, LIVE_LIMITS, type LiveLimits, type Peer, type SocketStats, Sockets } from './socket.transport.ts';
import { isServersMessage } from './socket-error.rules.ts';

/** What the live transport needs of the program. */
export interface LiveOptions extends ProtocolPorts {
  server: Server;
  /** Where sockets are accepted; an upgrade of any other path is answered with 404. */
  path: string;
  /** Where our own pages open theirs, and whose Authorization such a socket has; undefined for who is not let in. */
  pages?: {
    path: string;
    authorizationOf(headers: IncomingHttpHeaders, params: Record<string, unknown> | undefined): string | undefined;
  };
  /** Reverse proxies in front whose X-Forwarded-For is believed; default none. */
  trustedProxies?: number;
  limits?: Partial<LiveLimits>;
  every?(ms: number, tick: () => void): () => void;
}

/** The sockets of a web process. */
export interface LiveTransport {
  /** Counters of this process; those of feeds and deliveries are `Live.feeds.stats`. */
  readonly stats: Readonly<SocketStats>;
  /** Sends everyone away (1001, after which clients connect again elsewhere) and accepts no more. */
  close(): Promise<void>;
}

/** Serves the sockets of a server that listens, or will. */
export function attachLive(options: LiveOptions): LiveTransport {
  const limits = { ...LIVE_LIMITS, ...options.limits };
  const sockets = new Sockets(limits, options.every ?? everyInterval);
  const protocol = makeServer(new Protocol(options, sockets, limits).options);
  const upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    handleProtocols,
  });

  function open(socket: WebSocket, stream: Duplex, address: string, extra: Omit<Extra, 'peer'>): void {
    const peer = sockets.add(socket, stream, address);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: async (text) => sockets.send(peer, text),
        close: (code, reason) => sockets.close(peer, code ?? CLOSE.normal, reason ?? ''),
        onMessage: (handle) =>
          void socket.on('message', (data) => {
            const text = String(data);
            handle(text).catch((error) => {
              if (isServersMessage(text)) sockets.close(peer, CLOSE.badRequest, 'Invalid message received');
              else fail(peer, error);
            });
          }),
      },
      { peer, ...extra },
    );
    // Too large a message, a broken frame: ws closes such a socket itself.
    socket.on('error', () => {});
    socket.once('close', (code, reason) => {
      sockets.remove(peer);
      Promise.resolve(closed(code, String(reason))).catch((error) => fail(peer, error));
    });
  }

  function fail(peer: Peer, error: unknown): void {
    options.log.error({ err: error }, 'live socket failed');
    sockets.close(peer, CLOSE.internal, 'Internal server error');
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy());
    const address = addressOf(request, options.trustedProxies ?? 0);
    const [path] = request.url?.split('?') ?? [];
    const isPage = options.pages !== undefined && path === options.pages.path;
    const extra: Omit<Extra, 'peer'> = isPage
      ? { sessionOf: (params) => options.pages?.authorizationOf(request.headers, params) }
      : {};
    if (path !== options.path && !isPage) refuse(stream, '404 Not Found');
    else if (!sockets.hasRoom(address)) refuse(stream, '429 Too Many Requests');
    else upgrader.handleUpgrade(request, stream, head, (socket) => open(socket, stream, address, extra));
  }

  options.server.on('upgrade', upgrade);
  return {
    stats: sockets.stats,
    async close() {
      options.server.off('upgrade', upgrade);
      const gone = [...sockets.peers].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
      sockets.closeAll();
      await Promise.all(gone);
    },
  };
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Of the addresses the request came through, the nearest that is not a proxy of ours. */
function addressOf(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const way = [
    request.socket.remoteAddress ?? '',
    ...forwarded
      .map((part) => part.trim())
      .filter(Boolean)
      .reverse(),
  ];
  return way[Math.min(trustedProxies, way.length - 1)]!;
}

function everyInterval(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}
