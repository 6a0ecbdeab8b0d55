/**
 * The open sockets of a process: how many an address may have, which are dead (ping and pong), and which read too
 * slowly. A socket's buffer is its queue: a client that lets it fill is closed with 1013 and may resume by cursor.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { addressKeys } from '../../../auth/client-network.ts';

/** How many sockets there may be, and how slow a reader. */
export interface LiveLimits {
  socketsPerAddress: number;
  subscriptionsPerSocket: number;
  messageBytes: number;
  /** An idle connection without connection_init is closed after this. */
  initTimeoutMs: number;
  /** Bytes that may wait for a socket. */
  bufferedBytes: number;
  /** A socket that does not answer a ping until the next one is dead. */
  pingMs: number;
}

/** The limits of a web process. */
export const LIVE_LIMITS: LiveLimits = {
  socketsPerAddress: 1_000,
  subscriptionsPerSocket: 50,
  messageBytes: 64 * 1024,
  initTimeoutMs: 5_000,
  bufferedBytes: 256 * 1024,
  pingMs: 12_000,
};

/** Close codes of our own choosing; the stock client resumes after TRY_LATER, and UNAUTHORIZED is fatal to it. */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  tryLater: 1013,
  badRequest: 4400,
  unauthorized: 4401,
  internal: 4500,
} as const;

const TICK_MS = 1_000;
const TERMINATE_AFTER_MS = 1_000;

/** One open socket. */
export interface Peer {
  readonly socket: WebSocket;
  /** The connection under it, which frames are written to. */
  readonly stream: Duplex;
  readonly address: string;
  /** The header it sent with connection_init. */
  authorization?: string;
  /** Stops watching over its credential. */
  release?: () => void;
  isAlive: boolean;
  /** In which tick it is pinged, so that thousands of pings are spread. */
  phase: number;
}

/** Counters for the metrics. */
export interface SocketStats {
  sockets: number;
  /** Closed because they read too slowly, because they were dead, because their access was taken back. */
  slow: number;
  dead: number;
  revoked: number;
  /** Not opened, because their address had too many. */
  refused: number;
}

/** The open sockets: their limits, heartbeats and close codes. */
export class Sockets {
  readonly peers = new Set<Peer>();
  readonly stats: SocketStats = { sockets: 0, slow: 0, dead: 0, revoked: 0, refused: 0 };
  readonly #limits: LiveLimits;
  readonly #byAddress = new Map<string, number>();
  readonly #stop: () => void;
  #ticks = 0;

  constructor(limits: LiveLimits, every: (ms: number, tick: () => void) => () => void) {
    this.#limits = limits;
    this.#stop = every(TICK_MS, () => this.tick());
  }

  /** True while this address may open another socket. */
  hasRoom(address: string): boolean {
    const hasRoom = (this.#byAddress.get(addressKeys(address).narrow) ?? 0) < this.#limits.socketsPerAddress;
    if (!hasRoom) this.stats.refused += 1;
    return hasRoom;
  }

  add(socket: WebSocket, stream: Duplex, address: string): Peer {
    const peer: Peer = { socket, stream, address, isAlive: true, phase: this.peers.size };
    this.peers.add(peer);
    this.stats.sockets += 1;
    const { narrow } = addressKeys(address);
    this.#byAddress.set(narrow, (this.#byAddress.get(narrow) ?? 0) + 1);
    socket.on('pong', () => {
      peer.isAlive = true;
    });
    return peer;
  }

  remove(peer: Peer): void {
    if (!this.peers.delete(peer)) return;
    this.stats.sockets -= 1;
    peer.release?.();
    const { narrow } = addressKeys(peer.address);
    const left = this.#byAddress.get(narrow)! - 1;
    if (left > 0) this.#byAddress.set(narrow, left);
    else this.#byAddress.delete(narrow);
  }

  /** Without compression ws keeps nothing itself: what waits is in the stream. */
  isSlow(stream: Duplex): boolean {
    return stream.writableLength > this.#limits.bufferedBytes;
  }

  /** Closes, and does not wait for a peer that no longer reads. */
  close(peer: Peer, code: number, reason: string): void {
    if (peer.socket.readyState !== peer.socket.OPEN) return;
    peer.socket.close(code, reason);
    setTimeout(() => peer.socket.terminate(), TERMINATE_AFTER_MS).unref();
  }

  /** It lets its buffer fill: its client resumes by cursor. */
  closeSlow(peer: Peer): void {
    this.stats.slow += 1;
    this.close(peer, CLOSE.tryLater, 'Too slow: resume behind the last cursor');
  }

  /** What let the peer in was taken back. */
  revoke(peer: Peer): void {
    if (peer.socket.readyState !== peer.socket.OPEN) return;
    this.stats.revoked += 1;
    this.close(peer, CLOSE.unauthorized, 'Unauthorized');
  }

  /** An answer of the protocol. It may be large, but a peer that has not taken the last one gets no other. */
  send(peer: Peer, text: string): void {
    if (peer.socket.readyState !== peer.socket.OPEN) return;
    if (this.isSlow(peer.stream)) this.closeSlow(peer);
    else peer.socket.send(text);
  }

  /** Once a second: cuts off who reads too slowly, and pings a part of the others. */
  tick(): void {
    this.#ticks += 1;
    const turns = Math.max(1, Math.round(this.#limits.pingMs / TICK_MS));
    for (const peer of this.peers) {
      if (peer.socket.readyState !== peer.socket.OPEN) continue;
      if (this.isSlow(peer.stream)) this.closeSlow(peer);
      else if ((this.#ticks + peer.phase) % turns === 0) this.#ping(peer);
    }
  }

  closeAll(): void {
    this.#stop();
    for (const peer of this.peers) this.close(peer, CLOSE.goingAway, 'Going away');
  }

  #ping(peer: Peer): void {
    if (!peer.isAlive) {
      this.stats.dead += 1;
      peer.socket.terminate();
      return;
    }
    peer.isAlive = false;
    peer.socket.ping();
  }
}
