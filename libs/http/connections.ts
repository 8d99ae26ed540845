import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { clientAddress } from './client-address.js';

/** How long a request may take to arrive; how long its answer takes is the service's own matter, and a tail's for ever. */
export const REQUEST_TIMEOUTS = {
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
export const KEEP_ALIVE_MS = 65 * SECOND_MS;

export interface ConnectionLimits {
  readonly perAddress: number;
  readonly inAll: number;
}

export const CONNECTIONS_MAX: ConnectionLimits = { perAddress: 1_000, inAll: 4_000 };

/** Number of requests that a connection may send ahead before the service stops reading from it. */
const READ_AHEAD_MAX = 16;
/** Node parses 64 KiB at once, which may hold 2,000 requests: this bounds what all connections have sent ahead. */
const SENT_AHEAD_MAX = 5_000;

interface PipelinedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Bounds the connections of a server, and takes the requests of each connection one at a time. Where there are too many
 * connections, the one that has been without a request for longest gives way; where all are at work, the new one is
 * closed. Behind a proxy all come from one address, so that only their sum is bounded there.
 */
export class Connections {
  /** The address of each socket, and the sockets of each address; the least recently used first. */
  private readonly addresses = new Map<Socket, string>();
  private readonly ofAddress = new Map<string, Set<Socket>>();
  /** The sockets that are at work, with the requests that were sent ahead on them. */
  private readonly busy = new Map<Socket, PipelinedRequest[]>();
  private sentAhead = 0;
  private isEnding = false;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly isBehindProxy: boolean,
  ) {}

  serve(options: ServerOptions, handle: RequestListener): Server {
    return createServer(options, this.serialiseRequests(handle)).on('connection', (socket: Socket) =>
      this.opened(socket),
    );
  }

  /** Gives the handler one request of each connection at a time: what the same connection sends ahead waits. */
  private serialiseRequests(handle: RequestListener): RequestListener {
    const begin = (socket: Socket, { request, response }: PipelinedRequest) => {
      response.once('close', () => {
        const next = this.nextOf(socket);
        if (next) begin(socket, next);
        else this.ended(socket);
      });
      handle(request, response);
    };
    return (request, response) => {
      const { socket } = request;
      const ahead = this.busy.get(socket);
      if (ahead) return this.wait(socket, ahead, { request, response });
      this.busy.set(socket, []);
      begin(socket, { request, response });
    };
  }

  private wait(socket: Socket, ahead: PipelinedRequest[], sent: PipelinedRequest): void {
    if (this.sentAhead >= SENT_AHEAD_MAX) return void socket.destroy();
    ahead.push(sent);
    this.sentAhead += 1;
    if (ahead.length === READ_AHEAD_MAX) this.pause(socket, ahead);
  }

  /** A request that is taken up reads its body and so resumes its socket, although others still wait. */
  private pause(socket: Socket, ahead: readonly PipelinedRequest[]): void {
    const keepPaused = () => {
      if (ahead.length > 0) socket.pause();
      else socket.off('resume', keepPaused);
    };
    socket.on('resume', keepPaused);
    socket.pause();
  }

  private nextOf(socket: Socket): PipelinedRequest | undefined {
    const ahead = this.busy.get(socket)!;
    // The connection has closed, the answer before has said that it will, or the service stops.
    if (!socket.writable || this.isEnding) this.sentAhead -= ahead.splice(0).length;
    const next = ahead.shift();
    if (!next) return undefined;
    this.sentAhead -= 1;
    if (ahead.length === 0) socket.resume();
    return next;
  }

  /** Stops listening, and closes each connection with the answer that is under way. */
  async end(server: Server): Promise<void> {
    this.isEnding = true;
    for (const socket of [...this.addresses.keys()]) if (!this.busy.has(socket)) socket.destroy();
    // The close of `http.Server` also cuts answers that are written and not sent yet.
    await new Promise(resolve => NetServer.prototype.close.call(server, resolve));
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
    if (this.isEnding) return void socket.destroySoon();
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
