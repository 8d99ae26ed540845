import { isJsonObject, type JsonObject, parseJson } from '#libs/kernel/json.js';
import { ConnectionLost } from './errors.js';

export type Fetch = typeof globalThis.fetch;

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** Maximum size of an answer. The longest page of events is far smaller. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Statuses of a proxy that got no answer from the service. */
const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Sends one request and reads one answer, without signatures, payments or repetition. */
export class Transport {
  readonly baseUrl: string;

  constructor(
    baseUrl: string,
    private readonly fetch: Fetch,
    private readonly timeoutMs: number,
  ) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
  }

  /** Throws `ConnectionLost` without a complete answer. Does not follow redirects. */
  async send({ method, path, headers, body }: ServiceRequest): Promise<ServiceResponse> {
    try {
      const response = await this.fetch(`${this.baseUrl}${path}`, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.timeoutMs),
        ...(body !== undefined && { body }),
      });
      return toServiceResponse(response, await readText(response));
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      throw new ConnectionLost(`${method} ${this.baseUrl}${path} got no answer: ${describeCause(error)}`, {
        cause: error,
      });
    }
  }
}

/** Uses a reader, since some browsers cannot iterate over a response body. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  let [text, bytes] = ['', 0];
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > ANSWER_BYTES_MAX) throw tooLarge(reader);
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(reader: { cancel(): Promise<void> } | undefined): ConnectionLost {
  // Abandon the rest of the answer; an error of the connection no longer matters.
  reader?.cancel().catch(() => undefined);
  return new ConnectionLost(`The answer is larger than ${ANSWER_BYTES_MAX} bytes.`);
}

function toServiceResponse({ status, headers }: Response, text: string): ServiceResponse {
  const body = parseObject(text);
  if (body) return { status, headers, body };
  if (status === 200 || GATEWAY_FAILURES.has(status))
    throw new ConnectionLost(`The answer (${status}) is not a JSON object.`);
  return { status, headers, body: {} };
}

function parseObject(text: string): JsonObject | null {
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}

function describeCause(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? cause.message : message;
}
