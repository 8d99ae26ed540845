import type { CommandResult } from '#libs/kernel/command-result.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { RequestLimits } from './limiting/request-limits.js';
import type { RequestLock } from './request-locks.js';
import type { ParsedFields } from './routes.js';

/** A write after the pipeline: its parsed fields, its authorized caller, and the locks that it holds until it ends. */
export interface HttpRequest extends ParsedFields {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The last word of the path, which a request signs. */
  readonly endpoint: string;
  /** The fields that make two requests the same. */
  readonly fields: RequestFields;
  /** Names of fields that the endpoint does not know. */
  readonly ignored: readonly string[];
  /** The payment that `PaidRequests` has read; null without one. */
  readonly presented: object | null;
  /** Request keys of its nonce and its idempotency key. A payment claims them too. */
  readonly requestKeys: readonly string[];
  readonly context: CommandContext;
  /** Undefined if nothing is limited. */
  readonly limits?: Pick<RequestLimits, 'admit'> | undefined;
  /** On its nonce and its idempotency key. */
  readonly locks: readonly RequestLock[];
  /** The saved answer of the same request under its idempotency key. */
  readonly saved?: CommandResult;
}

declare module 'fastify' {
  interface FastifyRequest {
    httpRequest?: HttpRequest | undefined;
  }
}
