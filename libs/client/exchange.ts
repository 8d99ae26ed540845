import { isJsonObject, type JsonObject } from '#libs/kernel/json.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { ApiError, assertEscrowKnown, ConnectionLost } from './errors.js';
import type { Credentials, RequestStamp } from './credentials.js';
import {
  type OperationCall,
  type OperationKind,
  type OperationName,
  isGet,
  canSeeWrites,
  toCall,
} from './operations.js';
import { OPERATIONS, type Operations } from './operations.generated.js';
import type { Payer, SignedPayment } from './payer.js';
import { decodePaymentHeader } from './payment-headers.js';
import { randomText } from './random.js';
import { isRepeatable, type RetryBounds, retryDelay } from './retry.js';
import type { SeenPositions } from './seen-positions.js';
import type { ServiceClock } from './service-clock.js';
import type { ServiceRequest, Transport } from './transport.js';

export interface ExchangeDependencies {
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Address of the service that requests are meant for. */
  readonly origin: string;
  readonly payer: Pick<Payer, 'pay'>;
  readonly clock: ServiceClock;
  readonly seen: SeenPositions;
  readonly bounds: RetryBounds;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The service accepts timestamps for 5 minutes; a message is signed again before that. */
const SIGNATURE_AGE_MS_MAX = 4 * MINUTE_MS;
/** A second payment is allowed after the service said that the first can never settle. */
const PAYMENTS_MAX = 2;

type RequestFailure = ApiError | ConnectionLost;

/** State for resuming an operation in another process. Keep it until the answer, to avoid a second payment. */
export interface PendingOperation {
  readonly idempotencyKey: string;
  readonly payment: SignedPayment | null;
}

export const newOperation = (): PendingOperation => ({ idempotencyKey: randomText(), payment: null });

/**
 * One operation from the first request to the answer. Signs once, repeats the same bytes while the outcome is unknown,
 * and never pays twice for the same purchase.
 */
export class Exchange {
  private stamp: RequestStamp | null = null;
  private body = '';
  private paymentsSigned: number;
  private hasCorrectedClock = false;

  /** `onChange` is called with each payment before it is sent. An error from it ends the operation. */
  constructor(
    private readonly call: OperationCall,
    private readonly dependencies: ExchangeDependencies,
    private operation: PendingOperation = newOperation(),
    private readonly onChange: (operation: PendingOperation) => void = () => undefined,
  ) {
    this.paymentsSigned = operation.payment ? 1 : 0;
  }

  private get payment(): SignedPayment | null {
    return this.operation.payment;
  }

  private set payment(payment: SignedPayment | null) {
    this.operation = { ...this.operation, payment };
    this.onChange(this.operation);
  }

  /** Returns the body. Throws `ApiError`, `ConnectionLost`, `PaymentDeclined` or `EscrowIgnored`. */
  async run(): Promise<JsonObject> {
    const { clock, bounds, sleep } = this.dependencies;
    const startedAt = clock.localNow();
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await this.attempt();
      if (!(outcome instanceof Error)) {
        assertEscrowKnown(this.call.fields, outcome);
        return outcome;
      }
      if (await this.recover(outcome)) continue;
      const waitMs = isRepeatable(outcome) ? retryDelay(outcome, attempts, clock.localNow() - startedAt, bounds) : null;
      if (waitMs === null) throw this.toFinalError(outcome);
      await sleep(waitMs);
    }
  }

  private async attempt(): Promise<JsonObject | RequestFailure> {
    try {
      const reply = await this.dependencies.transport.send(await this.buildRequest());
      this.dependencies.seen.note(reply.headers.get('event-position'));
      return reply.status === 200 ? reply.body : new ApiError(reply.status, reply.body, reply.headers);
    } catch (error) {
      if (error instanceof ConnectionLost) return error;
      throw error;
    }
  }

  private async buildRequest(): Promise<ServiceRequest> {
    const { kind, path } = this.call;
    const { seen, credentials } = this.dependencies;
    const position = canSeeWrites(kind) && seen.latest !== null && { 'min-position': seen.latest };
    if (isGet(kind)) return { method: 'GET', path, headers: { ...position } };
    const headers = {
      'content-type': 'application/json',
      ...position,
      ...(kind !== 'open' && credentials.headers),
      'idempotency-key': this.operation.idempotencyKey,
      ...(this.payment && { 'payment-signature': this.payment.header }),
    };
    return { method: 'POST', path, headers, body: await this.signedBody() };
  }

  /** Returns the same bytes while their timestamp is valid. */
  private async signedBody(): Promise<string> {
    const { clock, credentials, origin } = this.dependencies;
    const now = clock.now();
    if (this.stamp && Math.abs(now - this.stamp.timestamp) <= SIGNATURE_AGE_MS_MAX) return this.body;
    this.stamp = { timestamp: now, nonce: this.nextNonce() };
    const { kind, path, fields } = this.call;
    const endpoint = path.slice(path.lastIndexOf('/') + 1);
    const addressed = { ...fields, origin };
    const sent = kind === 'open' ? fields : await credentials.fields(endpoint, addressed, this.stamp);
    this.body = JSON.stringify(sent);
    return this.body;
  }

  /**
   * A message that is signed again keeps its nonce, so that at most one of the two is executed. A payment or, for a
   * question, the idempotency key links the two as well, so those get a new nonce.
   */
  private nextNonce(): string {
    const isLinkedOtherwise = this.payment !== null || this.call.kind === 'ask';
    return this.stamp && !isLinkedOtherwise ? this.stamp.nonce : randomText();
  }

  /** Returns whether the cause was removed, so that the request can be repeated at once. */
  private async recover(failure: RequestFailure): Promise<boolean> {
    if (!(failure instanceof ApiError)) return false;
    if (failure.code === 'timestamp_out_of_window') return this.correctClock(failure);
    if (failure.code === 'min_position') return this.forgetPosition();
    return failure.status === 402 && (await this.pay(failure));
  }

  /** The log was restored from a backup or replaced, and does not reach the stored position. */
  private forgetPosition(): boolean {
    const hadPosition = this.dependencies.seen.latest !== null;
    this.dependencies.seen.forget();
    return hadPosition;
  }

  private correctClock({ body }: ApiError): boolean {
    const serverTime = body['server_time'];
    if (this.hasCorrectedClock || typeof serverTime !== 'number') return false;
    if (!this.dependencies.clock.correct(serverTime)) return false;
    this.hasCorrectedClock = true;
    const { stamp } = this;
    // The service refused this timestamp, so replace it even if the corrected clock would accept it.
    if (stamp) this.stamp = { ...stamp, timestamp: Number.NEGATIVE_INFINITY };
    return true;
  }

  private async pay(failure: ApiError): Promise<boolean> {
    if (this.payment) {
      if (!this.isFinal(failure, this.payment)) return false;
      this.payment = null;
    }
    if (this.paymentsSigned >= PAYMENTS_MAX) return false;
    this.payment = await this.dependencies.payer.pay(failure.headers.get('payment-required'));
    this.paymentsSigned += 1;
    return true;
  }

  /**
   * Whether the authorization can never settle. A failed check does not prove that, and a spent authorization has
   * moved money.
   */
  private isFinal({ code, headers }: ApiError, { expiredAt }: SignedPayment): boolean {
    if (code === 'authorization_spent') return false;
    if (code === 'authorization_refused' || settlementFailed(headers.get('payment-response'))) return true;
    return code === 'authorization_expired' && this.dependencies.clock.localNow() > expiredAt;
  }

  /** Adds `resume`, which continues with the same key, nonce and payment. */
  private toFinalError(failure: RequestFailure): RequestFailure {
    if (failure instanceof ApiError && failure.code === 'not_yet_visible') this.dependencies.seen.forget();
    if (isRepeatable(failure)) failure.resume = () => this.run();
    return failure;
  }
}

function settlementFailed(header: string | null): boolean {
  const response = decodePaymentHeader(header);
  return isJsonObject(response) && response['success'] === false;
}

export class OperationRunner {
  constructor(protected readonly dependencies: ExchangeDependencies) {}

  protected perform(call: OperationCall): Promise<unknown> {
    return new Exchange(call, this.dependencies).run();
  }
}

/** Creates a base class with a method for each allowed operation. */
export function withOperations<M extends Partial<Operations>>(mayCall: (kind: OperationKind) => boolean) {
  class Operating extends OperationRunner {}
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    if (!mayCall(OPERATIONS[name].kind)) continue;
    const value = function (this: { perform(call: OperationCall): Promise<unknown> }, fields?: object) {
      return this.perform(toCall(name, fields));
    };
    Object.defineProperty(Operating.prototype, name, { value, writable: true, configurable: true });
  }
  return Operating as unknown as new (dependencies: ExchangeDependencies) => OperationRunner & M;
}
