import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { CommandResult } from '#libs/kernel/decide.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { isPosition, LOG_START, type Position } from '#libs/kernel/event.js';
import { fieldRule, rule, Unavailable } from '#libs/kernel/refusal.js';
import type { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import { NO_CACHE_HEADERS, NO_STORE_HEADERS, etagOf, isEtagMatch } from './response-headers.js';
import { ResponseMemory } from './response-memory.js';
import type { RequestMeter } from './request-meter.js';
import { RequestResponseMemory } from './request-response-memory.js';
import { registerCors } from './cross-origin.js';
import { hostRefusal } from './host-header.js';
import { type HtmlPresenter, logCleanupError } from './send-failure.js';
import {
  findCachedResponse,
  sendCachedResponse,
  type CachedResponse,
  getCacheExpiry,
  ResponseCache,
} from './response-cache.js';
import type { CallerAddresses } from './limiting/caller-addresses.js';
import type { StartupGate } from './startup-gate.js';
import type { ReadParameters } from './paging.js';
import type { RequestRateLimiter } from './limiting/request-rate-limiter.js';
import type { WritePipeline } from './write-pipeline.js';
import { forgetMalformedType, registerBodyParser } from './json-body.js';
import { isPrivate, isWrite, type RouteSettings, settingsOf } from './routes.js';
import { RecentWrites } from './recent-writes.js';
import { endLocks } from './request-locks.js';
import type { RouteIndex } from './route-index.js';

const MIN_POSITION_WAIT_MS = 2 * SECOND_MS;
const MIN_POSITION_RETRY_SECONDS = 1;
const STOPPED_RETRY_SECONDS = 30;

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether an error is an outage, which is then recorded. */
    isOutage: (error: unknown) => boolean;
    serviceAddress: { readonly baseUrl: string };
    htmlPresenter: HtmlPresenter;
    answerMemory: RequestResponseMemory;
  }
  interface FastifyRequest {
    /** Cache key of the response, and the version of the documents at the start of the request. */
    cacheKey?: string;
    version?: unknown;
    cacheableUntil?: number | undefined;
    isAnswered?: boolean;
  }
}

const CALLER_PROPERTIES = ['settings', 'limits', 'readCost', 'httpRequest', 'content'];
const RESPONSE_PROPERTIES = ['cacheKey', 'version', 'cacheableUntil', 'isAnswered', 'memory'];

export interface HookDependencies {
  readonly pipeline: WritePipeline;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly callers: CallerAddresses;
  readonly routing: RouteIndex;
  readonly limiting: RequestRateLimiter | null;
  readonly outages: OutageTracker;
  readonly countOutage?: ((component: string) => void) | undefined;
  readonly startupGate: StartupGate;
  readonly address: { readonly baseUrl: string };
  readonly htmlPresenter: HtmlPresenter;
  readonly meter: RequestMeter;
  readonly countRead: (params: ReadParameters) => void;
  readonly isBeyondEnd: (position: Position) => Promise<boolean>;
  /** Whether no other process answers reads from the same stores. */
  readonly isAlone: boolean;
}

type HookServices = Pick<HookDependencies, 'pipeline' | 'models' | 'clock' | 'isBeyondEnd'> & {
  readonly answers: ResponseCache;
  readonly writes: RecentWrites;
  readonly memory: RequestResponseMemory;
};

/** Registers the work of every request as Fastify hooks: a Nest interceptor or global pipe costs as much as a read. */
export async function addHooks(app: FastifyInstance, dependencies: HookDependencies): Promise<void> {
  const { routing, limiting, startupGate, address, htmlPresenter, meter, countRead, callers, ...rest } = dependencies;
  const { isAlone, outages, countOutage, ...others } = rest;
  app.decorate('serviceAddress', address);
  app.decorate('htmlPresenter', htmlPresenter);
  app.decorate('isOutage', (error: unknown) => {
    if (!(error instanceof Unavailable)) return false;
    countOutage?.(error.component);
    outages.recordOutage(error);
    return true;
  });
  // Declared up front so that all requests have one hidden class, which V8 optimises.
  for (const name of [...CALLER_PROPERTIES, ...RESPONSE_PROPERTIES]) app.decorateRequest(name, undefined);
  app.addHook('onClose', async () => outages.stop());
  const writes = new RecentWrites({ models: others.models, callers, isAlone });
  const services = { ...others, writes, answers: new ResponseCache(), memory: new RequestResponseMemory(callers) };
  app.decorate('answerMemory', services.memory);
  app.addHook('onRequest', (request, reply, done) => {
    // The response to a write may hold a token or private data.
    const cacheHeaders = isPrivate(request) && NO_STORE_HEADERS;
    void reply.headers({ 'x-request-id': randomUUID(), 'x-content-type-options': 'nosniff', ...cacheHeaders });
    limiting?.begin(request);
    done(hostRefusal(request.raw));
  });
  app.addHook('onRoute', route => countSuccessfulReads(route, countRead));
  await registerCors(app, address);
  // Runs before the body is read, because Fastify has its own rules for bodies of some methods.
  app.addHook('onRequest', (request, _reply, done) => {
    forgetMalformedType(request);
    // Fastify answers HEAD on every GET route. A command must not run on HEAD.
    const isMistaken = request.is404 || routing.isShadowedByName(request.url, settingsOf(request).url);
    const isUnknownEndpoint = isMistaken || (request.method === 'HEAD' && isWrite(request));
    if (isUnknownEndpoint) done(routing.refusalOf(request.url));
    else done(startupGate.isOpen || isServedWhileStarting(request) ? undefined : startupGate.refusal());
  });
  registerBodyParser(app);
  app.addHook('preHandler', (request, reply, done) => {
    const refusal = limiting?.countRead(request, reply);
    if (refusal) return done(refusal);
    const cached = writes.isPending(request) ? undefined : findCachedResponse(request, services);
    if (cached && !ResponseMemory.isCounted(cached.text.length)) sendCachedResponse(cached, request, reply);
    else prepareRequest(request, reply, cached, services).then(() => done(), done);
  });
  app.addHook('preSerialization', (request, reply, payload) => completeWrite(request, reply, payload, services));
  app.addHook('onSend', (request, reply, payload, done) => {
    const sent = applyEtag(request, reply, payload, services);
    services.memory.sent(request, reply, sent);
    meter.count(request, reply);
    done(null, sent);
  });
}

const isServedWhileStarting = (request: FastifyRequest) => settingsOf(request).other?.whileStarting === true;

/** Added per route, because a global hook would slow down every request. */
function countSuccessfulReads(route: RouteOptions, countRead: HookDependencies['countRead']): void {
  const { read } = (route.config ?? {}) as RouteSettings;
  if (!read?.isCounted) return;
  route.onResponse = async ({ method, params }, { statusCode }) => {
    if (method === 'GET' && (statusCode === 200 || statusCode === 304)) countRead(params as ReadParameters);
  };
}

async function prepareRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  found: CachedResponse | undefined,
  services: HookServices,
): Promise<unknown> {
  const { pipeline, writes } = services;
  const { write, read } = settingsOf(request);
  if (read?.callerParameter !== undefined) await pipeline.fillCaller(request, read.callerParameter);
  const position = read || write ? minPosition(request) : undefined;
  let cached = found;
  if (position !== undefined) await assertInLog(position, services);
  if (read || write?.isRead) {
    await waitForPosition(position, services.models);
    if (position === undefined && writes.isPending(request)) {
      await writes.wait(request);
      cached = findCachedResponse(request, services);
    }
  }
  const memory = services.memory.begin(request, reply, cached?.text.length);
  if (memory) request.memory = memory instanceof Promise ? await memory : memory;
  if (cached) return sendCachedResponse(cached, request, reply);
  if (!write) return;
  const prepared = await pipeline.begin(request, write);
  const { actor } = prepared.context;
  if (write.isRead && position === undefined) await writes.waitForActor(actor, request);
  if (prepared.saved !== undefined) {
    await request.limits?.giveBack().catch(logCleanupError(request));
    const { body, position: savedPosition, headers } = prepared.saved;
    if (position === undefined) await writes.add(request, actor, savedPosition);
    return reply.headers({ ...headers, 'event-position': savedPosition }).send(body);
  }
  request.httpRequest = prepared;
}

function minPosition(request: FastifyRequest): Position | undefined {
  const value = request.headers['min-position'];
  if (value === undefined) return undefined;
  const isValid = value === '0' || (typeof value === 'string' && isPosition(value));
  fieldRule(isValid, 'min-position', '`min-position` must be 0 or the `event-position` of a response.', 'malformed');
  return value === '0' ? LOG_START : value;
}

/** Asks the log only where the read models are behind the position, because most of them are not. */
async function assertInLog(position: Position, { models, isBeyondEnd }: HookServices): Promise<void> {
  if (models.hasSeen(position) || (await models.waitForPosition(position, 0))) return;
  const message = '`min-position` is after the end of the log. Leave it out, or send a newer `event-position`.';
  fieldRule(!(await isBeyondEnd(position)), 'min-position', message, 'out_of_range');
}

async function waitForPosition(position: Position | undefined, models: ReadModels): Promise<void> {
  if (position === undefined) return;
  await assertNotStopped(position, models);
  const reached = await models.waitForPosition(position, MIN_POSITION_WAIT_MS);
  await assertNotStopped(position, models);
  rule(reached, 'not_yet_visible', 'The read models have not reached `min-position` yet.', {
    retryAfter: MIN_POSITION_RETRY_SECONDS,
  });
}

async function assertNotStopped(position: Position, models: ReadModels): Promise<void> {
  const stopped = await models.findStoppedBefore(position);
  rule(stopped === undefined, 'projection_stopped', `The read model "${stopped}" has stopped before min-position.`, {
    hint: 'Leave out `min-position` to read the data that is available.',
    retryAfter: STOPPED_RETRY_SECONDS,
  });
}

async function completeWrite(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  { writes }: HookServices,
): Promise<unknown> {
  const { write, read } = settingsOf(request);
  request.cacheableUntil = getCacheExpiry(payload);
  if (read) return read.bare ? payload : { ok: true, ...(payload as object) };
  if (!write || !request.httpRequest || reply.statusCode !== 200) return payload;
  const { body, position, headers } = payload as CommandResult;
  const { ignored, locks, context } = request.httpRequest;
  const answer = { ok: true, ...body, ...(ignored.length > 0 && { ignored }) };
  request.httpRequest = undefined;
  const saved = write.saved === false ? undefined : () => JSON.stringify({ body: answer, position, headers });
  await endLocks(locks, lock => lock.complete(saved), logCleanupError(request));
  void reply.headers({ ...headers, 'event-position': position });
  if (minPosition(request) === undefined) await writes.add(request, context.actor, position);
  return answer;
}

function applyEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown, { answers }: HookServices): unknown {
  const { read, other } = settingsOf(request);
  if (request.limits) void reply.headers(request.limits.headers());
  const isRead = (read !== undefined || other?.method === 'GET') && !isPrivate(request);
  if (!isRead || request.isAnswered || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const etag = read?.validator ? etagOf(read.validator(payload), true) : etagOf(payload);
  const { cacheKey, version, cacheableUntil: until } = request;
  if (cacheKey !== undefined && until !== undefined) answers.put(cacheKey, version, { text: payload, etag, until });
  void reply.headers({ etag, ...NO_CACHE_HEADERS });
  if (!isEtagMatch(request.headers['if-none-match'], etag)) return payload;
  void reply.status(304).removeHeader('content-type').removeHeader('content-length');
  // Fastify removes the body of a HEAD itself, after it has set the content length.
  return request.method === 'HEAD' ? payload : null;
}
