import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { clientAddress } from './client-address.js';

/** How long a request may take to arrive; how long its answer takes is the service's own matter, and a tail's for ever. */
export const ARRIVAL = {
  /** Request line and headers, from the connection's beginning on. */
  headersTimeout: 10 * SECOND_MS,
  /** The whole request. The largest body arrives in time at 4 KB/s. */
  requestTimeout: 20 * SECOND_MS,
  /** How often Node looks for what is late. */
  connectionsCheckingInterval: 2 * SECOND_MS,
  /** A request without a Host is refused by `hostRefusal`, in the form of every other refusal. */
  requireHostHeader: false,
};
/** How long a connection is kept for its next request: longer than the minute after which proxies let go of theirs. */
export const KEPT_ALIVE_MS = 65 * SECOND_MS;

export interface ConnectionLimits {
  readonly perAddress: number;
  readonly inAll: number;
}

export const CONNECTIONS_MAX: ConnectionLimits = { perAddress: 1_000, inAll: 4_000 };

/**
 * Bounds the connections of a server. Where there are too many, the one that has been without a request for longest
 * gives way; where all are at work, the new one is closed. Behind a proxy all come from one address, so that only their
 * sum is bounded there.
 */
export class Connections {
  /** The address of each socket, and the sockets of each address; the least recently used first. */
  private readonly addresses = new Map<Socket, string>();
  private readonly ofAddress = new Map<string, Set<Socket>>();
  private readonly busy = new WeakSet<Socket>();

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly isBehindProxy: boolean,
  ) {}

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.opened(socket));
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.busy.add(socket);
      response.once('close', () => this.ended(socket));
    });
  }

  private opened(socket: Socket): void {
    const address = clientAddress(socket.remoteAddress ?? '');
    const same = this.ofAddress.get(address);
    const isOver = !this.isBehindProxy && same !== undefined && same.size >= this.limits.perAddress;
    if (isOver && !this.makeRoom(same)) return void socket.destroy();
    if (this.addresses.size >= this.limits.inAll && !this.makeRoom(this.addresses.keys())) return void socket.destroy();
    this.add(socket, address);
    socket.once('close', () => this.remove(socket));
  }

  /** Among some sockets, closes the one that has been idle for longest. Answers false where each is at work. */
  private makeRoom(sockets: Iterable<Socket>): boolean {
    for (const socket of sockets) {
      if (this.busy.has(socket)) continue;
      // Counted out now: its end comes later, and the next connection may come before.
      this.remove(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  /** It is the newest of the idle ones. */
  private ended(socket: Socket): void {
    this.busy.delete(socket);
    const address = this.remove(socket);
    if (address !== undefined) this.add(socket, address);
  }

  private add(socket: Socket, address: string): void {
    this.addresses.set(socket, address);
    this.ofAddress.set(address, (this.ofAddress.get(address) ?? new Set()).add(socket));
  }

  private remove(socket: Socket): string | undefined {
    const address = this.addresses.get(socket);
    if (address === undefined) return undefined;
    this.addresses.delete(socket);
    const same = this.ofAddress.get(address)!;
    same.delete(socket);
    if (same.size === 0) this.ofAddress.delete(address);
    return address;
  }
}
