import { A2AError, restStatusFor, toJsonRpcError, toRestErrorBody } from '@a2a-js/sdk/errors';
import type { FastifyRequest } from 'fastify';
import { InvalidJson } from '#libs/http/json-body.js';
import { buildFailure } from '#libs/http/failure.js';
import { isOutage } from '#libs/http/send-failure.js';
import { INVALID_REQUEST, PARSE_ERROR, SERVER_ERROR } from '#libs/http/json-rpc.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { ServiceRefusal } from './service-calls.js';

/** JSON-RPC 2.0, section 5.1. */
const INVALID_PARAMS = -32602;
const BAD_REQUEST = 400;
const UNAUTHENTICATED = 401;
const INTERNAL_ERROR = 500;
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
/** Domain of error reasons that are not part of A2A. */
const DOMAIN = 'agent-job-network';

/** google.rpc.Code by HTTP status. */
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
/** Statuses that JSON-RPC answers keep; others become 200. */
const HTTP_STATUSES = new Set([UNAUTHENTICATED, 413, 415, 429, 500, 502, 503]);

/** An error for both bindings. */
export interface Failure {
  readonly status: number;
  /** Status of JSON-RPC answers. */
  readonly rpcStatus: number;
  readonly headers: { readonly [name: string]: string };
  readonly rpc: JsonObject;
  readonly rest: JsonObject;
}

/** Converts any error. Logs internal errors and hides their details. */
export function toFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof A2AError) {
    const status = restStatusFor(error);
    const rpc = { ...toJsonRpcError(error) } as unknown as JsonObject;
    return { status, rpcStatus: 200, headers: {}, rpc, rest: toRestErrorBody(error, status) as unknown as JsonObject };
  }
  const refusal = error instanceof ServiceRefusal ? error : toServiceRefusal(error, request);
  return formatFailure(refusal, error instanceof InvalidJson ? PARSE_ERROR : rpcCodeOf(refusal));
}

function toServiceRefusal(error: unknown, request: FastifyRequest): ServiceRefusal {
  const { status, body, headers } = buildFailure(error, (cause, errorId) => {
    if (!isOutage(cause, request)) request.log.error({ err: cause, error_id: errorId }, 'an A2A request failed');
  });
  return new ServiceRefusal(status, body, headers);
}

function rpcCodeOf({ status, code }: ServiceRefusal): number {
  if (code === 'body') return INVALID_REQUEST;
  return status === BAD_REQUEST ? INVALID_PARAMS : SERVER_ERROR;
}

function formatFailure(refusal: ServiceRefusal, code: number): Failure {
  const { status, message } = refusal;
  const detail = errorDetail(refusal);
  return {
    status,
    rpcStatus: HTTP_STATUSES.has(status) ? status : 200,
    headers: failureHeaders(refusal),
    rpc: { code, message, data: [detail] },
    rest: {
      error: {
        code: status,
        status: STATUS_NAMES[status] ?? 'INTERNAL',
        message,
        details: [protocolDetail(detail, status), detail],
      },
    },
  };
}

/** The code and the members that help a program to recover. */
function errorDetail({ code, body }: ServiceRefusal) {
  const names = ['field', 'hint', 'retry_after', 'error_id'].filter(name => body[name] !== undefined);
  const metadata = Object.fromEntries(names.map(name => [name, toText(body[name])]));
  const reason = (code === '' ? 'internal' : code).toUpperCase();
  return { '@type': ERROR_INFO, reason, domain: DOMAIN, metadata } as const;
}

/** Comes first: the Python SDK reads one detail and hides the message of a reason that is not part of A2A. */
const protocolDetail = ({ reason, metadata }: ReturnType<typeof errorDetail>, status: number) => ({
  '@type': ERROR_INFO,
  reason: status < INTERNAL_ERROR ? 'INVALID_PARAMS' : 'INTERNAL_ERROR',
  domain: 'a2a-protocol.org',
  metadata: { ...metadata, reason },
});

function failureHeaders({ status, code, headers }: ServiceRefusal): { [name: string]: string } {
  const retryAfter = headers['retry-after'];
  const error = code === 'bad_token' ? ', error="invalid_token"' : '';
  return {
    ...(retryAfter !== undefined && { 'retry-after': toText(retryAfter) }),
    ...(status === UNAUTHENTICATED && { 'www-authenticate': `Bearer realm="${DOMAIN}"${error}` }),
  };
}
