import type { Dispatcher } from 'undici';
import { isSuccessStatus } from '#libs/kernel/http-status.js';
import { readText } from '#libs/platform/bounds/read-text.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { requestTarget, redactSecrets } from './rpc-secrets.js';

export const RPC_TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'agent-job-network/1.0',
};

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Refusal of one call (JSON-RPC 2.0, section 5.1). */
export interface RpcRefusal {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export type RpcAnswer = { readonly result: unknown } | { readonly refusal: RpcRefusal };

export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** One RPC address. Every failure is an `UnusableAnswer`, whose message holds no key of the address. */
export class RpcAddress {
  private readonly target: ReturnType<typeof requestTarget>;

  constructor(
    private readonly address: string,
    private readonly timeoutMs = RPC_TIMEOUT_MS,
  ) {
    this.target = requestTarget(address);
  }

  async batch(...calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const responses = answerList(await this.post(requests.length === 1 ? requests[0] : requests));
    const redact = (text: string) => redactSecrets(text, this.address);
    const responseTo = (id: number) => responses.find(answer => answer.id === id);
    return requests.map(({ id }) => parseAnswer(responseTo(id), redact));
  }

  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const [answer] = await this.batch({ method, params });
    return requireResult(answer);
  }

  private async post(body: unknown): Promise<unknown> {
    try {
      // `undici.request` is 0.3 ms faster than `fetch`. Loaded on first use to keep the start fast.
      const { request } = await import('undici');
      const { url, headers } = this.target;
      const answer = await request(url, {
        method: 'POST',
        headers: { ...HEADERS, ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      // Redirects are not followed, because they could lead anywhere.
      if (!isSuccessStatus(answer.statusCode)) return discardBody(answer);
      return JSON.parse(await readText(answer.body, ANSWER_BYTES_MAX, tooLong));
    } catch (cause) {
      if (cause instanceof UnusableAnswer) throw cause;
      throw new UnusableAnswer('An RPC node did not answer.', { cause });
    }
  }
}

export class RpcPool {
  private readonly addresses: readonly RpcAddress[];

  constructor(
    urls: readonly string[],
    private readonly name: string,
    timeoutMs = RPC_TIMEOUT_MS,
  ) {
    if (!urls.length) throw new Error(`${name} has no RPC address.`);
    this.addresses = urls.map(url => new RpcAddress(url, timeoutMs));
  }

  async callFirst<T>(work: (address: RpcAddress) => Promise<T>): Promise<T> {
    const found = await this.find(async address => ({ result: await work(address) }));
    return found!.result;
  }

  /** Asks each address until one returns a result. */
  async find<T>(work: (address: RpcAddress) => Promise<T | null>): Promise<T | null> {
    let cause: unknown;
    for (const address of this.addresses) {
      try {
        const result = await work(address);
        if (result !== null) return result;
      } catch (error) {
        if (!(error instanceof UnusableAnswer)) throw error;
        cause = error;
      }
    }
    if (cause === undefined) return null;
    throw new Unavailable(this.name, { cause });
  }

  async callEvery<T>(work: (address: RpcAddress) => Promise<T>): Promise<T[]> {
    try {
      return await Promise.all(this.addresses.map(work));
    } catch (error) {
      throw error instanceof UnusableAnswer ? new Unavailable(this.name, { cause: error }) : error;
    }
  }
}

export function requireResult(answer: RpcAnswer | undefined): unknown {
  if (!answer) throw new UnusableAnswer('An RPC node did not answer a call.');
  if ('refusal' in answer) throw new UnusableAnswer(`An RPC node refused: ${answer.refusal.message}`);
  return answer.result;
}

interface RawAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | null;
}

function answerList(body: unknown): RawAnswer[] {
  const list: unknown[] = Array.isArray(body) ? body : [body];
  return list.filter((item): item is RawAnswer => typeof item === 'object' && item !== null);
}

function parseAnswer(raw: RawAnswer | undefined, redact: (text: string) => string): RpcAnswer {
  if (raw?.error) {
    const { code, message, data } = raw.error;
    return { refusal: { code: Number(code), message: redact(String(message)), data } };
  }
  if (raw?.result === undefined) throw new UnusableAnswer('The answer of an RPC node is not JSON-RPC.');
  return { result: raw.result };
}

/** An unread body would keep its connection open. */
function discardBody({ body, statusCode }: Dispatcher.ResponseData): never {
  body.on('error', () => undefined).destroy();
  throw new UnusableAnswer(`An RPC node answered ${statusCode}.`);
}

const tooLong = () => new UnusableAnswer('The answer of an RPC node is too long.');
