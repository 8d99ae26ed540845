import { A2AError, type ErrorDetail, restStatusFor, toJsonRpcError, toRestErrorBody } from '@a2a-js/sdk/errors';
import type { FastifyRequest } from 'fastify';
import { InvalidJson } from '#libs/http/json-body.js';
import { buildFailure } from '#libs/http/failure.js';
import { isOutage } from '#libs/http/send-failure.js';
import { INVALID_REQUEST, PARSE_ERROR, SERVER_ERROR } from '#libs/http/json-rpc.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { ServiceRefusal } from './service-calls.js';

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
const HTTP_STATUSES = new Set([UNAUTHENTICATED, 413, 415, 429, 500, 502, 503]);

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
export function toFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof A2AError) {
    const status = restStatusFor(error);
    const rpc = { ...toJsonRpcError(error) } as unknown as JsonObject;
    return { status, rpcStatus: 200, headers: {}, rpc, rest: toRestErrorBody(error, status) as unknown as JsonObject };
  }
  const refused = error instanceof ServiceRefusal ? error : toServiceRefusal(error, request);
  return formatFailure(refused, error instanceof InvalidJson ? PARSE_ERROR : rpcCodeOf(refused));
}

function toServiceRefusal(error: unknown, request: FastifyRequest): ServiceRefusal {
  const { status, body, headers } = buildFailure(error, (cause, errorId) => {
    if (!isOutage(cause, request)) request.log.error({ err: cause, error_id: errorId }, 'an A2A request failed');
  });
  return new ServiceRefusal(status, body, headers);
}

function rpcCodeOf({ status, code }: ServiceRefusal): number {
  if (code === 'body') return INVALID_REQUEST;
  return status === REFUSED_FIELDS ? INVALID_PARAMS : SERVER_ERROR;
}

function formatFailure(refused: ServiceRefusal, code: number): Failure {
  const { status, message } = refused;
  const details = [errorDetail(refused)];
  return {
    status,
    rpcStatus: HTTP_STATUSES.has(status) ? status : 200,
    headers: failureHeaders(refused),
    rpc: { code, message, data: details as unknown as JsonObject[] },
    rest: { error: { code: status, status: STATUS_NAMES[status] ?? 'INTERNAL', message, details: details as never } },
  };
}

/** What a program needs of a refusal: its code, and the members that say what to do. */
function errorDetail({ code, body }: ServiceRefusal): ErrorDetail {
  const named = ['field', 'hint', 'retry_after', 'error_id'].filter(name => body[name] !== undefined);
  const metadata = Object.fromEntries(named.map(name => [name, toText(body[name])]));
  const reason = (code === '' ? 'internal' : code).toUpperCase();
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: DOMAIN, metadata };
}

function failureHeaders({ status, code, headers }: ServiceRefusal): { [name: string]: string } {
  const wait = headers['retry-after'];
  const invalid = code === 'bad_token' ? ', error="invalid_token"' : '';
  return {
    ...(wait !== undefined && { 'retry-after': toText(wait) }),
    ...(status === UNAUTHENTICATED && { 'www-authenticate': `Bearer realm="${DOMAIN}"${invalid}` }),
  };
}
