import type { FastifyReply, FastifyRequest } from 'fastify';
import { LimitReached } from '#libs/platform/limits/limiter.js';
import { PROBLEM, prefersPage, prefersProblem } from './accept.js';
import { JSON_TYPE, UNCACHED } from './answer-headers.js';
import { brokenOff } from './broken-off.js';
import { type Failure, failureOf, problemOf } from './failure.js';
import { endLocks, isPaying, mayBeDone } from './request-locks.js';
import { isWrite, type PageTraits, settingsOf } from './routes.js';

const TOO_LARGE = 413;

type PageHeaders = { readonly [name: string]: string };

/** What is sent to people, whatever they ask. */
export interface ForPeople {
  /** A failure as a page. */
  readonly failure: (failure: Failure) => { readonly text: string; readonly headers: PageHeaders };
  readonly headers: (traits: PageTraits) => PageHeaders;
}

export const untold = (request: FastifyRequest) => (error: unknown) =>
  void (isOutage(error, request) || request.log.warn({ err: error }, 'what a request held was not told how it ended'));

export const isOutage = (error: unknown, { server }: FastifyRequest) => server.outages.takes(error);

/** Sends a failure, after the request has ended its locks. */
export async function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { httpRequest } = request;
  request.httpRequest = undefined;
  if (error instanceof LimitReached) request.limits?.note(error.standing);
  if (request.readCost) void reply.headers(request.readCost.correct(0));
  await request.limits?.giveBack().catch(untold(request));
  await endLocks(
    httpRequest?.locks ?? [],
    lock => (mayBeDone(error) ? lock.pause(isPaying(error)) : lock.release()),
    untold(request),
  );
  const failure = failureOf(brokenOff(error, request) ?? error, (cause, errorId) => {
    if (!isOutage(cause, request)) request.log.error({ err: cause, error_id: errorId }, 'request failed');
  });
  const problem = prefersProblem(request.headers.accept);
  void reply.status(failure.status).headers(failure.headers);
  // Fastify would close the connection, which resets it while the body still comes, and the answer with it.
  if (failure.status === TOO_LARGE) void reply.removeHeader('connection');
  if (!isWrite(request) && ['GET', 'HEAD'].includes(request.method)) void reply.headers(UNCACHED);
  if (isForPeople(request)) {
    const { text, headers } = request.server.forPeople.failure(failure);
    return void (await reply.headers(headers).send(text));
  }
  void reply.header('content-type', problem ? PROBLEM : JSON_TYPE);
  await reply.send(JSON.stringify(problem ? problemOf(failure, request.server.serviceAddress.baseUrl) : failure.body));
}

/** Paths that programs ask, whatever browser does. */
const OF_PROGRAMS = /^\/(api|mcp|a2a|\.well-known)(\/|\?|$)/;

/** Whether a failure is shown as a page: of a page, or of an address that nothing has, to who wants pages. */
function isForPeople(request: FastifyRequest): boolean {
  const { method, url, headers, is404 } = request;
  if (!['GET', 'HEAD'].includes(method) || !prefersPage(headers.accept)) return false;
  const { read } = settingsOf(request);
  return read?.page !== undefined || (is404 && !OF_PROGRAMS.test(url));
}
