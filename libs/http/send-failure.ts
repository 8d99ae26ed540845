import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OwnerRefusal, type OwnerRequest } from '#libs/domain/token-scope.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { LimitReached } from '#libs/platform/limits/limiter.js';
import { PROBLEM, prefersPage, prefersProblem } from './accept.js';
import { type Failure, buildFailure, toProblemDocument } from './failure.js';
import { endLocks, isPaymentPending, mayHaveTakenEffect } from './request-locks.js';
import { JSON_TYPE, NO_CACHE_HEADERS } from './response-headers.js';
import type { RouteIndex } from './route-index.js';
import { isPrivate, type PageTraits, settingsOf } from './routes.js';

const TOO_LARGE = 413;

type PageHeaders = { readonly [name: string]: string };

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells the owner of a token about a command that its limits refuse. */
    recordOwnerRequest: (request: OwnerRequest) => Promise<void>;
  }
}

export interface HtmlPresenter {
  readonly failure: (failure: Failure) => { readonly text: string; readonly headers: PageHeaders };
  readonly headers: (traits: PageTraits) => PageHeaders;
}

export const logCleanupError = (request: FastifyRequest) => (error: unknown) =>
  void (
    isOutage(error, request) ||
    request.log.warn({ err: error }, 'could not end the locks or refund the limits of a request')
  );

export const isOutage = (error: unknown, { server }: FastifyRequest) => server.isOutage(error);

export async function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { httpRequest } = request;
  request.httpRequest = undefined;
  if (error instanceof LimitReached) request.limits?.note(error.usage);
  if (request.readCost) void reply.headers(request.readCost.correct(0));
  if (error instanceof OwnerRefusal)
    await request.server.recordOwnerRequest(error.request).catch(logCleanupError(request));
  await request.limits?.giveBack().catch(logCleanupError(request));
  await endLocks(
    httpRequest?.locks ?? [],
    lock => (mayHaveTakenEffect(error) ? lock.suspend(isPaymentPending(error)) : lock.release()),
    logCleanupError(request),
  );
  const failure = buildFailure(createAbortedRefusal(error, request) ?? error, (cause, errorId) => {
    if (!isOutage(cause, request)) request.log.error({ err: cause, error_id: errorId }, 'request failed');
  });
  const problem = prefersProblem(request.headers.accept);
  void reply.status(failure.status).headers(failure.headers);
  // Fastify would close the connection while the body still arrives, and the client would lose the response.
  if (failure.status === TOO_LARGE) void reply.removeHeader('connection');
  if (!isPrivate(request) && ['GET', 'HEAD'].includes(request.method)) void reply.headers(NO_CACHE_HEADERS);
  if (isHtmlFailure(request)) {
    const { text, headers } = request.server.htmlPresenter.failure(failure);
    return void (await reply.headers(headers).send(text));
  }
  void reply.header('content-type', problem ? PROBLEM : JSON_TYPE);
  await reply.send(
    JSON.stringify(problem ? toProblemDocument(failure, request.server.serviceAddress.baseUrl) : failure.body),
  );
}

/** Paths that always return JSON, even to a browser. */
const PROGRAM_PATHS = /^\/(api|mcp|a2a|\.well-known)(\/|\?|$)/;

function isHtmlFailure(request: FastifyRequest): boolean {
  const { method, url, headers, is404 } = request;
  if (!['GET', 'HEAD'].includes(method) || !prefersPage(headers.accept)) return false;
  const { read } = settingsOf(request);
  return read?.page !== undefined || (is404 && !PROGRAM_PATHS.test(url));
}

/**
 * Returns a refusal if the client closed the connection or timed out before it sent the whole request; else undefined.
 * This is not a fault of the service.
 */
function createAbortedRefusal(error: unknown, { raw, log }: FastifyRequest): Refusal | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code !== 'ECONNRESET' || raw.complete || !raw.destroyed) return undefined;
  log.debug('connection closed before the whole request arrived');
  return new Refusal('http', 'The connection closed before the whole request arrived.');
}

@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(private readonly routing: RouteIndex) {}

  catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    // If the last path value is empty, Fastify finds a route and Nest does not.
    const cause = error instanceof NotFoundException ? this.routing.refusalOf(request.url) : error;
    return sendFailure(cause, request, http.getResponse<FastifyReply>());
  }
}
