import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `refuse` closes the connection before reading, `drop-before` before forwarding, `drop-after` after the node has
 * executed the request.
 */
export type Fault =
  | 'pass'
  | 'refuse'
  | 'drop-before'
  | 'drop-after'
  | 'garbage'
  | { readonly delayMs: number }
  | { readonly until: Promise<void> }
  | { readonly status: number }
  /** The address has a second node, which lags, and which is asked for the state. */
  | { readonly lagging: string }
  /** A JSON-RPC refusal of the proxy's own, for every call of the request. */
  | { readonly refusal: { readonly code: number; readonly message: string } }
  /** A JSON-RPC result of the proxy's own, for every call of the request. */
  | { readonly answer: unknown };

export interface FaultScope {
  readonly method?: string;
  readonly times?: number;
}

interface Rule extends FaultScope {
  readonly fault: Fault;
  left: number;
}

interface Call {
  readonly id?: unknown;
  readonly method?: string;
}

const STATE: ReadonlySet<string> = new Set(['eth_call', 'eth_getCode', 'eth_getBalance']);

export class RpcProxy {
  readonly seen: string[][] = [];
  private rules: Rule[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = http.createServer((request, response) => void this.handle(request, response));

  private constructor(private readonly target: string) {
    this.server.on('connection', socket => this.accept(socket));
  }

  static async start(target: string): Promise<RpcProxy> {
    const proxy = new RpcProxy(target);
    await new Promise<void>(resolve => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds a fault; the newest matching fault applies. */
  set(fault: Fault, { method, times }: FaultScope = {}): void {
    this.rules.unshift({ fault, method, left: times ?? Infinity });
    if (fault === 'refuse' && method === undefined) this.closeAll();
  }

  clear(): void {
    this.rules = [];
    this.seen.length = 0;
  }

  async stop(): Promise<void> {
    this.closeAll();
    await new Promise(resolve => this.server.close(resolve));
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
    const rule = this.rules.find(({ fault, method }) => fault === 'refuse' && method === undefined);
    if (!rule) return;
    this.useUp(rule);
    socket.destroy();
  }

  private async handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await textOf(request);
    const calls = [JSON.parse(body) as Call | Call[]].flat();
    this.seen.push(calls.map(({ method }) => String(method)));
    const rule = this.rules.find(({ method }) => method === undefined || calls.some(call => call.method === method));
    if (rule) this.useUp(rule);
    await this.act(rule?.fault ?? 'pass', body, calls, response);
  }

  private async act(fault: Fault, body: string, calls: Call[], response: http.ServerResponse): Promise<void> {
    if (fault === 'refuse' || fault === 'drop-before') return void response.destroy();
    if (fault === 'garbage') return void response.end('<html>Bad gateway</html>');
    if (typeof fault === 'object' && 'status' in fault) return void response.writeHead(fault.status).end('{}');
    if (typeof fault === 'object' && 'refusal' in fault)
      return void response.end(ownOf({ error: fault.refusal }, calls));
    if (typeof fault === 'object' && 'answer' in fault)
      return void response.end(ownOf({ result: fault.answer }, calls));
    if (typeof fault === 'object' && !('lagging' in fault))
      await ('until' in fault ? fault.until : sleep(fault.delayMs));
    const answer = await this.answer(fault, body);
    if (fault === 'drop-after' || answer === null) return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }

  /** Forwards each call of a batch on its own, because nodes behind a load balancer can differ. */
  private async answer(fault: Fault, body: string): Promise<string | null> {
    const lagging = typeof fault === 'object' && 'lagging' in fault ? fault.lagging : this.target;
    if (lagging === this.target) return forward(this.target, body);
    const batch = JSON.parse(body) as Call | Call[];
    const answers = await Promise.all(
      [batch].flat().map(call => forward(STATE.has(call.method ?? '') ? lagging : this.target, JSON.stringify(call))),
    );
    return Array.isArray(batch) ? `[${answers.join()}]` : answers[0]!;
  }

  private useUp(rule: Rule): void {
    rule.left -= 1;
    if (rule.left <= 0) this.rules = this.rules.filter(other => other !== rule);
  }

  private closeAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

async function forward(target: string, body: string): Promise<string | null> {
  try {
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return await answer.text();
  } catch {
    return null;
  }
}

function ownOf(answer: { readonly error: object } | { readonly result: unknown }, calls: Call[]): string {
  const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, ...answer }));
  return JSON.stringify(answers.length === 1 ? answers[0] : answers);
}

async function textOf(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
