import { A2AError, type ErrorDetail, restStatusFor, toJsonRpcError, toRestErrorBody } from '@a2a-js/sdk/errors';
import type { FastifyRequest } from 'fastify';
import { NoJson } from '#libs/http/body.js';
import { failureOf } from '#libs/http/failure.js';
import { isOutage } from '#libs/http/failing.js';
import { INVALID_REQUEST, PARSE_ERROR, SERVER_ERROR } from '#libs/http/json-rpc.js';
import { type JsonObject, worded } from '#libs/kernel/json.js';
import { ServiceRefused } from './service-calls.js';

/** Of JSON-RPC 2.0, section 5.1, too: wrong parameters. */
const INVALID_PARAMS = -32602;
const REFUSED_FIELDS = 400;
const UNAUTHENTICATED = 401;
/** Who named the reason of a refusal that the protocol has no error for. */
const DOMAIN = 'agent-job-network';

/** The names that google.rpc.Code has for statuses of HTTP. */
const STATUS_NAMES: { readonly [status: number]: string } = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
/** What is refused by HTTP itself, also where an answer of JSON-RPC is read. */
const BY_HTTP = new Set([UNAUTHENTICATED, 413, 415, 429, 500, 502, 503]);

/** An error as both bindings say it. */
export interface Failure {
  /** Of the binding HTTP+JSON. */
  readonly status: number;
  /** Of an answer of JSON-RPC. */
  readonly rpcStatus: number;
  readonly headers: { readonly [name: string]: string };
  readonly rpc: JsonObject;
  readonly rest: JsonObject;
}

/** Anything that was thrown; a defect is written down, and says nothing of itself. */
export function failureFrom(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof A2AError) {
    const status = restStatusFor(error);
    const rpc = { ...toJsonRpcError(error) } as unknown as JsonObject;
    return { status, rpcStatus: 200, headers: {}, rpc, rest: toRestErrorBody(error, status) as unknown as JsonObject };
  }
  const refused = error instanceof ServiceRefused ? error : refusedOf(error, request);
  return failed(refused, error instanceof NoJson ? PARSE_ERROR : codeOf(refused));
}

function refusedOf(error: unknown, request: FastifyRequest): ServiceRefused {
  const { status, body, headers } = failureOf(error, (cause, errorId) => {
    if (!isOutage(cause, request)) request.log.error({ err: cause, error_id: errorId }, 'an A2A request failed');
  });
  return new ServiceRefused(status, body, headers);
}

function codeOf({ status, code }: ServiceRefused): number {
  if (code === 'body') return INVALID_REQUEST;
  return status === REFUSED_FIELDS ? INVALID_PARAMS : SERVER_ERROR;
}

function failed(refused: ServiceRefused, code: number): Failure {
  const { status, message } = refused;
  const details = [detailOf(refused)];
  return {
    status,
    rpcStatus: BY_HTTP.has(status) ? status : 200,
    headers: headersOf(refused),
    rpc: { code, message, data: details as unknown as JsonObject[] },
    rest: { error: { code: status, status: STATUS_NAMES[status] ?? 'INTERNAL', message, details: details as never } },
  };
}

/** What a program needs of a refusal: its code, and the members that say what to do. */
function detailOf({ code, body }: ServiceRefused): ErrorDetail {
  const named = ['field', 'hint', 'retry_after', 'error_id'].filter(name => body[name] !== undefined);
  const metadata = Object.fromEntries(named.map(name => [name, worded(body[name])]));
  const reason = (code === '' ? 'internal' : code).toUpperCase();
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: DOMAIN, metadata };
}

function headersOf({ status, code, headers }: ServiceRefused): { [name: string]: string } {
  const wait = headers['retry-after'];
  const invalid = code === 'bad_token' ? ', error="invalid_token"' : '';
  return {
    ...(wait !== undefined && { 'retry-after': worded(wait) }),
    ...(status === UNAUTHENTICATED && { 'www-authenticate': `Bearer realm="${DOMAIN}"${invalid}` }),
  };
}
