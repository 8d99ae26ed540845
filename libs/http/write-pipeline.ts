import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type CommandResult, withIds } from '#libs/kernel/decide.js';
import type { Authorization, Position, RequestFields } from '#libs/kernel/event.js';
import { type Integers, type RequestKey, randomRequestKey, identifyRequest, sha256Hex } from '#libs/kernel/ids.js';
import { type Clock } from '#libs/kernel/clock.js';
import { Refusal, addFaults, nonceUsed } from '#libs/kernel/refusal.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { UNSIGNED_FIELDS } from '#libs/platform/signing/signed-message.js';
import { ANYONE, type Authentication, type Caller } from './authentication/authentication.js';
import { detectMode, readableFields, readFields } from './authentication/authentication-mode.js';
import { assertIntendedOrigin, ORIGIN_FIELD } from './service-address.js';
import { refuseUnknownParameters } from '#libs/validation/unknown-parameters.js';
import type { HttpRequest } from './http-request.js';
import type { PaidRequests } from './paid-requests.port.js';
import type { WriteRoute } from './routes.js';
import { readIdempotencyKey } from './idempotency-key.js';
import {
  IDEMPOTENCY_KEY_RETENTION,
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
}

/**
 * Turns a request into a command: detects the mode, authenticates, checks access, parses the fields, and locks the
 * idempotency key and the nonce.
 */
export class WritePipeline {
  constructor(private readonly dependencies: WritePipelineDependencies) {}

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
    if (caller.principal) route.access.check(caller.principal, fields);
    const { ignored: undeclared, sent, values } = route.parse(fields);
    const presented = paidRequests.read(request, route, fields);
    const authorizedFields = caller.signed ? fields : omitFields(fields, undeclared);
    const authorization = caller.authorize(authorizedFields);
    const held = await this.hold(request, route, fields, caller, presented !== null);
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
      context: this.contextOf(route, caller, held, { at, authorization }),
    };
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
    const other = route.caller === 'newKey' ? '' : ', or send authorization: Bearer <token>';
    throw new Refusal('unsigned', why, { hint: `Sign the body${other}.` });
  }

  private async hold(
    request: FastifyRequest,
    route: WriteRoute,
    fields: RequestFields,
    caller: Caller,
    isPaying: boolean,
  ): Promise<HeldRequest> {
    const signedKey = requestKeyOf(route, fields, caller);
    const idempotency = await this.holdIdempotencyKey(request, route, fields, caller, signedKey);
    const requestKey = idempotency?.lock.requestKey ?? signedKey ?? randomRequestKey(randomUUID());
    const keys: RequestKey[] = idempotency ? [idempotency.key] : [];
    const saved = await loadSavedResult(idempotency?.lock, this.dependencies.holds);
    if (saved) return { requestKey, keys, locks: [], saved, isRepeated: false };
    const locks = idempotency ? [idempotency.lock] : [];
    // This request has spent its own nonce: do not lock it again.
    if (idempotency?.lock.isCompleted && requestKey === signedKey) return { requestKey, keys, locks, isRepeated: true };
    try {
      const nonce = await this.holdNonce(route, caller, requestKey, isPaying);
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

  private async holdIdempotencyKey(
    request: FastifyRequest,
    route: WriteRoute,
    fields: RequestFields,
    caller: Caller,
    requestKey: string | undefined,
  ) {
    const key = readIdempotencyKey(request);
    if (key === null) return null;
    const callerName = caller.signed && route.caller === 'newKey' ? '' : caller.id;
    const name = `idempotency/${callerName}/${route.endpoint}/${sha256Hex(key)}`;
    const digest = sha256Hex(canonicalJson(pickComparedFields(fields)));
    const conflict = () =>
      new Refusal(
        'idempotency_conflict',
        'You used this idempotency key for a request with another body. Use a new key.',
      );
    const keyOf = (digest: string) => this.dependencies.integers.requestKey('idempotency', `${name}/${digest}`);
    const ownKey = keyOf(digest);
    const lockRequest = { digest, requestKey: requestKey ?? ownKey, keep: IDEMPOTENCY_KEY_RETENTION, conflict };
    // Different new keys may repeat one idempotency key, so no muse owns it.
    const owner = callerName === '' ? {} : { museId: callerName };
    const isUnpaid = async (other: string) =>
      !(await this.dependencies.paidRequests.isPaid({ value: keyOf(other), ...owner }));
    const lock = await this.dependencies.locks.acquire(name, { ...lockRequest, isUnpaid });
    return { lock, key: { value: ownKey, ...owner } };
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
    { at, authorization }: { readonly at: number; readonly authorization: Authorization },
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

const MISSING_NEW_KEY_SIGNATURE = 'The request has no signature of the new key. A token cannot replace it.';

/**
 * A token proves nothing about a new key: it would let a caller register another person's key. A signature in an address
 * would be in the logs of proxies, so a GET takes a token only.
 */
function detectRouteMode({ caller }: WriteRoute, request: FastifyRequest, body: RequestParameters) {
  if (caller === 'anyone') return ANYONE;
  if (caller === 'newKey') return detectMode(undefined, body, MISSING_NEW_KEY_SIGNATURE);
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
