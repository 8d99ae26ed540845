import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type CommandContext, type CommandResult, withIds } from '#libs/kernel/decide.js';
import type { Position, RequestFields } from '#libs/kernel/event.js';
import { type Integers, type RequestKey, randomRequestKey, identifyRequest, sha256Hex } from '#libs/kernel/ids.js';
import { type Clock } from '#libs/kernel/clock.js';
import { Refusal, addFaults, nonceUsed } from '#libs/kernel/refusal.js';
import { UNSIGNED_FIELDS } from '#libs/platform/signing/signed-message.js';
import { ANYONE, type Authentication, type Caller } from './authentication/authentication.js';
import { detectMode, readableFields, readFields } from './authentication/authentication-mode.js';
import { assertIntendedOrigin, ORIGIN_FIELD } from './service-address.js';
import { refuseHidingFields } from '#libs/validation/unknown-fields.js';
import { refuseUnknownParameters } from '#libs/validation/unknown-parameters.js';
import type { HttpRequest } from './http-request.js';
import type { PaidRequests, PresentedPayment } from './paid-requests.port.js';
import type { WriteRoute } from './routes.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { RepeatKeys, repeatKeysOf } from './repeat-keys.js';
import {
  NONCE_RETENTION,
  type RequestLock,
  type RequestLocks,
  loadSavedResult,
  formatRequestNonceKey,
} from './request-locks.js';

export interface WritePipelineDependencies {
  readonly authentication: Authentication;
  readonly locks: RequestLocks;
  readonly clock: Clock;
  readonly integers: Integers;
  readonly address: { readonly baseUrl: string };
  readonly paidRequests: PaidRequests;
  readonly holds: (position: Position) => Promise<boolean>;
  /** Names of fields that no public event shows: with one of them, the feed hides the whole request. */
  readonly privateFields: ReadonlySet<string>;
}

/**
 * Turns a request into a command: detects the mode, authenticates, checks access, parses the fields, and locks the
 * idempotency key and the nonce.
 */
export class WritePipeline {
  private readonly repeatKeys: RepeatKeys;

  constructor(private readonly dependencies: WritePipelineDependencies) {
    const { locks, integers, paidRequests } = dependencies;
    this.repeatKeys = new RepeatKeys(locks, integers, paidRequests);
  }

  async begin(request: FastifyRequest, route: WriteRoute): Promise<HttpRequest> {
    // Before the token is checked, so that it had not expired at the time of the events.
    const at = this.dependencies.clock.now();
    const body = readParameters(request);
    const mode = detectRouteMode(route, request, body);
    if (mode.kind === 'unsigned') await this.refuseUnsigned(request, route, readableFields(body), mode.why);
    if (isGet(request)) refuseUnknownParameters(Object.keys(body), route.fieldNames);
    const fields = readFields(body, mode.kind === 'signed', route.faults);
    const isRepeatable = request.headers['idempotency-key'] !== undefined;
    const credentials = { mode, route, fields, isRepeatable };
    const { authentication, paidRequests } = this.dependencies;
    let caller: Caller;
    try {
      caller = await authentication.authenticate(credentials, request.limits);
    } catch (error) {
      throw addFaults(error, () => route.faults(fields));
    }
    if (caller.principal) assertIntendedOrigin(this.dependencies.address.baseUrl, fields[ORIGIN_FIELD]);
    const signature = caller.signed ? fields['signature'] : undefined;
    const payment = paidRequests.purchaseOf(request, route, fields);
    await request.limits?.count({ museId: caller.id, fields, signature, payment });
    const spending = caller.principal ? route.access.check(caller.principal, fields, caller.tokenHint) : undefined;
    const { ignored: undeclared, sent, values } = route.parse(fields);
    if (caller.signed) refuseHidingFields(undeclared, this.dependencies.privateFields);
    const presented = paidRequests.read(request, route, fields);
    const authorizedFields = caller.signed ? fields : omitFields(fields, undeclared);
    const authorization = caller.authorize(authorizedFields);
    const held = await this.hold(request, route, fields, caller, presented);
    const { method, url: target, headers, limits, content } = request;
    return {
      sent,
      values,
      method,
      target,
      headers,
      limits,
      content,
      endpoint: route.endpoint,
      ignored: undeclared.filter(name => isIgnored(name, fields, caller)),
      presented,
      fields: pickComparedFields(authorizedFields),
      requestKeys: held.keys,
      locks: held.locks,
      saved: held.saved,
      context: this.contextOf(route, caller, held, { at, authorization, spending }),
    };
  }

  /** The owner of the bearer token, for a read without the parameter that would name an agent. */
  async fillCaller({ headers, query, limits }: FastifyRequest, parameter: string): Promise<void> {
    const parameters = query as { [name: string]: unknown };
    if (parameters[parameter] !== undefined && parameters[parameter] !== '') return;
    const mode = detectMode(headers.authorization, {});
    if (mode.kind !== 'bearer') return;
    parameters[parameter] = await this.dependencies.authentication.findTokenOwner(mode.token, limits);
  }

  private async refuseUnsigned(
    request: FastifyRequest,
    route: WriteRoute,
    fields: RequestFields,
    why: string,
  ): Promise<never> {
    request.limits?.countUnsigned();
    readIdempotencyKey(request);
    await this.dependencies.paidRequests.offer(request, route, fields, why);
    const other =
      route.caller === 'newKey' || route.caller === 'recoveryKey' ? '' : ', or send authorization: Bearer <token>';
    throw new Refusal('unsigned', why, { hint: `Sign the body${other}.` });
  }

  private async hold(
    request: FastifyRequest,
    route: WriteRoute,
    fields: RequestFields,
    caller: Caller,
    presented: PresentedPayment | null,
  ): Promise<HeldRequest> {
    const signedKey = requestKeyOf(route, fields, caller);
    const compared = {
      caller: caller.signed && route.caller === 'newKey' ? '' : caller.id,
      endpoint: route.endpoint,
      fields: pickComparedFields(fields),
    };
    const repeats = await this.repeatKeys.hold(repeatKeysOf(request, presented), compared, signedKey);
    const requestKey = repeats[0]?.lock.requestKey ?? signedKey ?? randomRequestKey(randomUUID());
    const keys = repeats.map(({ key }) => key);
    const locks = repeats.map(({ lock }) => lock);
    const saved = await loadSavedResult(locks, this.dependencies.holds);
    if (saved) {
      // Another key of the same request may be new.
      await Promise.all(locks.map(lock => lock.complete(() => JSON.stringify(saved))));
      return { requestKey, keys, locks: [], saved, isRepeated: false };
    }
    const isCompleted = locks.some(lock => lock.isCompleted);
    // This request has spent its own nonce: do not lock it again.
    if (isCompleted && requestKey === signedKey) return { requestKey, keys, locks, isRepeated: true };
    try {
      const nonce = await this.holdNonce(route, caller, requestKey, presented !== null);
      if (nonce) {
        keys.push(nonce.key);
        locks.push(nonce.lock);
      }
      return { requestKey, keys, locks, isRepeated: false };
    } catch (error) {
      await Promise.all(locks.map(lock => lock.release()));
      throw error;
    }
  }

  /**
   * Refuses a used nonce with `nonce_used`. Later uses, or those of a process that lost the lock, are recognised by the
   * event that the first request wrote (`executeCommand`). A request that was paid may be repeated until its payment has
   * ended; so may one with a payment that was put off, and then had nothing to pay.
   */
  private async holdNonce({ paid }: WriteRoute, { id, signed }: Caller, requestKey: string, isPaying: boolean) {
    if (!signed) return null;
    const name = formatRequestNonceKey(id, signed.nonce);
    const key = { value: name, museId: id };
    const isPaid = () => this.dependencies.paidRequests.isPaid(key);
    const request = { digest: sha256Hex(signed.message), requestKey, keep: NONCE_RETENTION, conflict: nonceUsed };
    const lock = await this.dependencies.locks.acquire(name, { ...request, isUnpaid: async () => !(await isPaid()) });
    if (lock.isCompleted && !(paid && (isPaying || (await isPaid())))) throw nonceUsed();
    return { lock, key };
  }

  private contextOf(
    { endpoint }: WriteRoute,
    { id, principal, signed }: Caller,
    { requestKey, isRepeated }: HeldRequest,
    { at, authorization, spending }: Pick<CommandContext, 'at' | 'authorization' | 'spending'>,
  ) {
    // A repetition has a new signature and thus another message, so it does not have to match the first one.
    const isSignedKey = !isRepeated && signed !== null && requestKey === formatRequestNonceKey(id, signed.nonce);
    const envelope = {
      actor: id,
      at,
      ...identifyRequest(requestKey),
      decidedBy: `${endpoint}@1`,
      authorization,
      ...(isSignedKey && { message: signed.message }),
      basedOn: principal?.basedOn ?? {},
      ...(principal && { asOf: principal.asOf }),
      ...(spending && { spending }),
    };
    return withIds(envelope, this.dependencies.integers);
  }
}

interface HeldRequest {
  readonly requestKey: string;
  readonly keys: readonly RequestKey[];
  readonly locks: readonly RequestLock[];
  readonly saved?: CommandResult;
  /** Whether this request has completed before. */
  readonly isRepeated: boolean;
}

/** Shared fields are checked elsewhere. With a token, a different `muse_id` is ignored. */
function isIgnored(name: string, fields: RequestFields, { id, signed }: Caller): boolean {
  if (name === 'muse_id' && !signed) return fields[name] !== id;
  return !UNSIGNED_FIELDS.has(name) && name !== ORIGIN_FIELD;
}

type RequestParameters = { readonly [name: string]: unknown };

const isGet = ({ method }: Pick<FastifyRequest, 'method'>) => method === 'GET';

const readParameters = (request: FastifyRequest) =>
  ((isGet(request) ? request.query : request.body) ?? {}) as RequestParameters;

const MISSING_RECOVERY_SIGNATURE = 'The request has no signature of a recovery key. A token cannot replace it.';
const MISSING_NEW_KEY_SIGNATURE = 'The request has no signature of the new key. A token cannot replace it.';

/**
 * A token proves nothing about a new key: it would let a caller register another person's key. A signature in an address
 * would be in the logs of proxies, so a GET takes a token only.
 */
function detectRouteMode({ caller }: WriteRoute, request: FastifyRequest, body: RequestParameters) {
  if (caller === 'anyone') return ANYONE;
  if (caller === 'newKey') return detectMode(undefined, body, MISSING_NEW_KEY_SIGNATURE);
  if (caller === 'recoveryKey') return detectMode(undefined, body, MISSING_RECOVERY_SIGNATURE);
  return detectMode(request.headers.authorization, isGet(request) ? {} : body);
}

/** Undefined if only an idempotency key or a random key can identify the request. */
function requestKeyOf(route: WriteRoute, fields: RequestFields, { id, signed }: Caller): string | undefined {
  if (route.caller === 'newKey' && signed) return `key/${fields['public_key']}`;
  return signed ? formatRequestNonceKey(id, signed.nonce) : undefined;
}

function pickComparedFields(fields: RequestFields): RequestFields {
  const isCompared = (name: string) => name === 'muse_id' || (name !== ORIGIN_FIELD && !UNSIGNED_FIELDS.has(name));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isCompared(name)));
}

const omitFields = (fields: RequestFields, names: readonly string[]): RequestFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
