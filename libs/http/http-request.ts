import type { CommandResult, CommandContext } from '#libs/kernel/decide.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { RequestKey } from '#libs/kernel/ids.js';
import type { RequestLimits } from './limiting/request-limits.js';
import type { PresentedPayment } from './paid-requests.port.js';
import type { RequestLock } from './request-locks.js';
import type { ParsedFields } from './routes.js';

/** A write after the pipeline: parsed, authorized, and locked until it ends. */
export interface HttpRequest extends ParsedFields {
  readonly method: string;
  readonly target: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** Bytes of a body that has a `content-digest`. */
  readonly content?: Uint8Array | undefined;
  readonly endpoint: string;
  /** Fields that identify a repetition of the request. */
  readonly fields: RequestFields;
  readonly ignored: readonly string[];
  readonly presented: PresentedPayment | null;
  /** Keys of its nonce, its idempotency key and its payment identifier. A payment claims them too. */
  readonly requestKeys: readonly RequestKey[];
  readonly context: CommandContext;
  readonly limits?: Pick<RequestLimits, 'admit'> | undefined;
  readonly locks: readonly RequestLock[];
  readonly saved?: CommandResult;
}

declare module 'fastify' {
  interface FastifyRequest {
    httpRequest?: HttpRequest | undefined;
    content?: Uint8Array | undefined;
  }
}
