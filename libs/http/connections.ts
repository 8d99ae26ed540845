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
import { clientAddress } from './limiting/caller-addresses.js';
import { REQUEST_TURNS } from './request-turns.js';

/** Timeouts for receiving a request. Responses have none: a stream may never end. */
export const REQUEST_TIMEOUTS = {
  headersTimeout: 10 * SECOND_MS,
  /** Long enough for the largest body at 4 KB/s. */
  requestTimeout: 20 * SECOND_MS,
  connectionsCheckingInterval: 2 * SECOND_MS,
  /** `hostRefusal` refuses a missing Host in the usual error format. */
  requireHostHeader: false,
};
/** Longer than the minute after which proxies close idle connections. */
export const KEEP_ALIVE_MS = 65 * SECOND_MS;

export interface ConnectionLimits {
  readonly perAddress: number;
  readonly inAll: number;
}

export const CONNECTIONS_MAX: ConnectionLimits = { perAddress: 1_000, inAll: 4_000 };

const QUEUED_PER_CONNECTION_MAX = 16;
/** Node parses 64 KiB at once, which may hold 2,000 requests, so the total of all connections is limited too. */
const QUEUED_REQUESTS_MAX = 5_000;

interface PipelinedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Limits connections and serialises the requests of each. At the limit, the longest idle connection is closed, or the
 * new one if all are busy. Behind a proxy, only the total is limited.
 */
export class Connections {
  private readonly addresses = new Map<Socket, string>();
  private readonly byAddress = new Map<string, Set<Socket>>();
  private readonly busy = new Map<Socket, PipelinedRequest[]>();
  private queuedRequests = 0;
  private isEnding = false;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly isBehindProxy: boolean,
    private readonly isUrgent: (url: string) => boolean = () => false,
  ) {}

  serve(options: ServerOptions, handle: RequestListener): Server {
    return createServer(options, this.serialiseRequests(handle)).on('connection', (socket: Socket) =>
      this.accept(socket),
    );
  }

  private serialiseRequests(handle: RequestListener): RequestListener {
    const begin = (socket: Socket, { request, response }: PipelinedRequest) => {
      response.once('close', () => {
        const next = this.takeNext(socket);
        if (next) begin(socket, next);
        else this.becomeIdle(socket);
      });
      const address = this.addresses.get(socket) ?? '';
      // The connection may close while the request waits.
      REQUEST_TURNS.begin(address, this.isUrgent(request.url!), () => response.destroyed || handle(request, response));
    };
    return (request, response) => {
      const { socket } = request;
      const queue = this.busy.get(socket);
      if (queue) return this.enqueue(socket, queue, { request, response });
      this.busy.set(socket, []);
      begin(socket, { request, response });
    };
  }

  private enqueue(socket: Socket, queue: PipelinedRequest[], pipelined: PipelinedRequest): void {
    if (this.queuedRequests >= QUEUED_REQUESTS_MAX) return void socket.destroy();
    queue.push(pipelined);
    this.queuedRequests += 1;
    if (queue.length === QUEUED_PER_CONNECTION_MAX) this.pause(socket, queue);
  }

  /** Reading a body resumes the socket, so pause it again while other requests wait. */
  private pause(socket: Socket, queue: readonly PipelinedRequest[]): void {
    const keepPaused = () => {
      if (queue.length > 0) socket.pause();
      else socket.off('resume', keepPaused);
    };
    socket.on('resume', keepPaused);
    socket.pause();
  }

  private takeNext(socket: Socket): PipelinedRequest | undefined {
    const queue = this.busy.get(socket)!;
    // The connection is closed or about to close, or the service stops: drop the waiting requests.
    if (!socket.writable || this.isEnding) this.queuedRequests -= queue.splice(0).length;
    const next = queue.shift();
    if (!next) return undefined;
    this.queuedRequests -= 1;
    if (queue.length === 0) socket.resume();
    return next;
  }

  async end(server: Server): Promise<void> {
    this.isEnding = true;
    for (const socket of [...this.addresses.keys()]) if (!this.busy.has(socket)) socket.destroy();
    // `close` of `http.Server` would also cut responses that are not flushed.
    await new Promise(resolve => NetServer.prototype.close.call(server, resolve));
  }

  private accept(socket: Socket): void {
    const address = clientAddress(socket.remoteAddress ?? '');
    const sockets = this.byAddress.get(address);
    const isFull = !this.isBehindProxy && sockets !== undefined && sockets.size >= this.limits.perAddress;
    if (isFull && !this.makeRoom(sockets)) return void socket.destroy();
    if (this.addresses.size >= this.limits.inAll && !this.makeRoom(this.addresses.keys())) return void socket.destroy();
    this.add(socket, address);
    socket.once('close', () => this.remove(socket));
  }

  private makeRoom(sockets: Iterable<Socket>): boolean {
    for (const socket of sockets) {
      if (this.busy.has(socket)) continue;
      // Remove now: the close event may come after the next connection.
      this.remove(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  private becomeIdle(socket: Socket): void {
    if (this.isEnding) return void socket.destroySoon();
    this.busy.delete(socket);
    const address = this.remove(socket);
    if (address !== undefined) this.add(socket, address);
  }

  private add(socket: Socket, address: string): void {
    this.addresses.set(socket, address);
    this.byAddress.set(address, (this.byAddress.get(address) ?? new Set()).add(socket));
  }

  private remove(socket: Socket): string | undefined {
    const address = this.addresses.get(socket);
    if (address === undefined) return undefined;
    this.addresses.delete(socket);
    const sockets = this.byAddress.get(address)!;
    sockets.delete(socket);
    if (sockets.size === 0) this.byAddress.delete(address);
    return address;
  }
}
