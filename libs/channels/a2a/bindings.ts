import { formatSSEErrorEvent } from '@a2a-js/sdk';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { getDisconnectOrStopSignal, startLiveStream } from '#libs/http/long-responses.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { Agent } from './agent.js';
import { type Failure, toFailure } from './failures.js';
import { Jobs } from './jobs.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { callOperation, type OperationCall, type RequestId, versionOf } from './operations.js';
import { LEGACY_VERSION, type ProtocolVersion, X402_EXTENSION } from './protocol.js';
import { PushConfigs } from './push-configs.js';
import { toEventStream } from './event-stream.js';
import { RequestHandler } from './request-handler.js';
import { ServiceCalls } from './service-calls.js';
import type { TaskNames } from './task-names.js';

export interface A2aDependencies {
  readonly names: TaskNames;
  /** Checks the addresses of push configurations. */
  readonly safeFetch: Pick<SafeFetch, 'checkUrl'>;
  /** Public address; final after the port is bound. */
  readonly address: { readonly baseUrl: string };
  readonly stop: AbortSignal;
}

/** Formats JSON-RPC responses and failures for one protocol binding. */
export interface Binding {
  readonly mediaType: string;
  readonly format: (response: JsonObject) => JsonObject;
  readonly failure: (failure: Failure) => { readonly status: number; readonly body: JsonObject };
  readonly streamError: (failure: Failure) => string;
}

/** HTTP+JSON (A2A 1.0, 11): plain results, and errors as google.rpc.Status. */
export const HTTP_JSON: Binding = {
  mediaType: 'application/a2a+json',
  format: ({ result }) => result as JsonObject,
  failure: ({ status, rest }) => ({ status, body: rest }),
  streamError: ({ rest }) => formatSSEErrorEvent(rest),
};

/** JSON-RPC 2.0 (A2A 1.0, 9). */
export const jsonRpc = (id: RequestId): Binding => {
  const errorBody = ({ rpc }: Failure): JsonObject => ({ jsonrpc: '2.0', id, error: rpc });
  return {
    mediaType: 'application/json',
    format: response => response,
    failure: failure => ({ status: failure.rpcStatus, body: errorBody(failure) }),
    streamError: failure => `data: ${JSON.stringify(errorBody(failure))}\n\n`,
  };
};

export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export async function handleCall(
  binding: Binding,
  call: OperationCall,
  { request, reply }: HttpExchange,
  { names, address, safeFetch, stop }: A2aDependencies,
): Promise<FastifyReply> {
  const version = versionOf(call.method)!;
  const disconnected = getDisconnectOrStopSignal(reply, stop);
  try {
    assertProtocolVersion(request, version);
    acknowledgeExtensions(request, reply, version);
    const jobs = new Jobs(new ServiceCalls(request, disconnected), names, address.baseUrl);
    const pushes = new PushConfigs(jobs, safeFetch, version);
    const response = await callOperation(new RequestHandler(new Agent(jobs, pushes), jobs, pushes), call);
    if (!(Symbol.asyncIterator in response))
      return reply.type(binding.mediaType).send(JSON.stringify(binding.format(response)));
    const writer = {
      event: binding.format,
      error: (error: unknown) => binding.streamError(toFailure(error, request)),
    };
    const stream = await toEventStream(response, writer, disconnected);
    startLiveStream(reply, stop);
    // Fastify would read the whole stream for a HEAD.
    return reply.send(request.method === 'HEAD' ? Readable.from([]) : stream);
  } catch (error) {
    const failure = toFailure(error, request);
    if (failure.rpcStatus !== 200 || !canOnlyReadStream(request, version))
      return sendBindingFailure(binding, failure, reply);
    return reply.type('text/event-stream').send(binding.streamError(failure));
  }
}

/** Clients of A2A 0.3 ignore the body of a refused stream unless it is a stream too. */
const canOnlyReadStream = ({ headers: { accept = '' } }: FastifyRequest, version: ProtocolVersion) =>
  version === LEGACY_VERSION && accept.startsWith('text/event-stream');

export function sendBindingFailure(binding: Binding, failure: Failure, reply: FastifyReply): FastifyReply {
  const { status, body } = binding.failure(failure);
  return reply.status(status).headers(failure.headers).type(binding.mediaType).send(JSON.stringify(body));
}

/** Version 0.3 is the default, and patch versions are ignored (A2A 1.0, 3.6). */
export function requestedVersion({ headers, query }: FastifyRequest): string {
  const { 'A2A-Version': parameter } = query as { readonly [name: string]: unknown };
  return toText(headers['a2a-version'] || parameter || LEGACY_VERSION).replace(/^(\d+\.\d+)\.\d+$/, '$1');
}

function assertProtocolVersion(request: FastifyRequest, version: ProtocolVersion): void {
  const requested = requestedVersion(request);
  if (requested !== version)
    throw new VersionNotSupportedError(`This request needs A2A-Version: ${version}, not ${requested}.`);
}

function acknowledgeExtensions({ headers }: FastifyRequest, reply: FastifyReply, version: ProtocolVersion): void {
  const extensions = [headers['a2a-extensions'], headers['x-a2a-extensions']].flat().join(',');
  const isSupported = extensions.split(',').some(each => each.trim() === X402_EXTENSION);
  const header = version === LEGACY_VERSION ? 'x-a2a-extensions' : 'a2a-extensions';
  if (isSupported) void reply.header(header, X402_EXTENSION);
}
