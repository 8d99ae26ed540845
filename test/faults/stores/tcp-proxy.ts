import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { resetSocket } from '../../doubles/reset-socket.js';

/** A proxy before a store whose connections can be cut, refused and stalled. */
export class TcpProxy {
  private readonly links = new Set<Link>();
  private mode: 'open' | 'refusing' | 'stalled' = 'open';

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    private readonly upstreamPort: number,
  ) {
    server.on('connection', socket => this.take(socket));
  }

  static async start(upstreamPort: number, host = '127.0.0.1'): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, host, upstreamPort);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks every connection and accepts new ones. */
  cut(): void {
    for (const link of this.links) link.break();
  }

  /** Breaks every connection and refuses new ones until `open`. */
  refuse(): void {
    this.mode = 'refusing';
    this.cut();
  }

  /** Accepts connections but passes no data until `open`. */
  stall(): void {
    this.mode = 'stalled';
    for (const link of this.links) link.hold();
  }

  open(): void {
    this.mode = 'open';
    for (const link of this.links) link.flow();
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    this.refuse();
    await closed;
  }

  private take(socket: Socket): void {
    if (this.mode === 'refusing') {
      resetSocket(socket.on('error', () => undefined));
      return;
    }
    const link = new Link(socket, connect(this.upstreamPort, this.host), () => this.links.delete(link));
    this.links.add(link);
    if (this.mode === 'open') link.flow();
  }
}

class Link {
  private flowing = false;

  constructor(
    private readonly client: Socket,
    private readonly upstream: Socket,
    ended: () => void,
  ) {
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true).on('error', () => this.break());
      socket.once('close', () => {
        this.break();
        ended();
      });
    }
  }

  flow(): void {
    if (this.flowing) return;
    this.flowing = true;
    this.client.pipe(this.upstream);
    this.upstream.pipe(this.client);
  }

  hold(): void {
    this.flowing = false;
    this.client.unpipe();
    this.upstream.unpipe();
  }

  break(): void {
    for (const socket of [this.client, this.upstream]) if (!socket.destroyed) resetSocket(socket);
  }
}
