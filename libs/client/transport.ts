import type { Json, JsonObject } from '#libs/kernel/json.js';
import { ConnectionLost } from './errors.js';

export type Fetch = typeof globalThis.fetch;

/** One answer of the service. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** The largest answer that is read; the longest page of events stays far below. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** A proxy in front of the service says that nothing came back from it. */
const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Sends one request and reads one answer. Knows nothing of signatures, payments or repetition. */
export class Transport {
  readonly baseUrl: string;

  constructor(
    baseUrl: string,
    private readonly fetch: Fetch,
    private readonly timeoutMs: number,
  ) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
  }

  /** Throws `ConnectionLost` where no whole answer came. A redirect is an answer like another: it is not followed. */
  async send({ method, path, headers, body }: Outgoing): Promise<Reply> {
    try {
      const response = await this.fetch(`${this.baseUrl}${path}`, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.timeoutMs),
        ...(body !== undefined && { body }),
      });
      return replyOf(response, await textOf(response));
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      throw new ConnectionLost(`${method} ${this.baseUrl}${path} got no answer: ${reasonOf(error)}`, { cause: error });
    }
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new ConnectionLost(`The answer is larger than ${ANSWER_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function replyOf({ status, headers }: Response, text: string): Reply {
  const body = objectOf(text);
  if (body) return { status, headers, body };
  if (status === 200 || GATEWAY_FAILURES.has(status))
    throw new ConnectionLost(`The answer (${status}) is no JSON object.`);
  return { status, headers, body: {} };
}

function objectOf(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? cause.message : message;
}
