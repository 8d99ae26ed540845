import type { RequestFields } from '#libs/kernel/event.js';
import {
  FAILED_AUTHENTICATIONS,
  REQUESTS,
  SIBLING_LOOKUPS,
  SIBLING_LOOKUPS_IN_ALL,
} from '#libs/platform/limits/general-limits.js';
import {
  rateLimitPolicyHeader,
  rateLimitHeader,
  type Limiter,
  type LimitUsage,
  type TakenPoint,
} from '#libs/platform/limits/limiter.js';
import type { EndpointLimit, Limit } from '#libs/platform/limits/limit.js';
import type { LimitTable } from '#libs/platform/limits/limit-table.js';
import { type MaybeAsync, mapMaybeAsync } from '#libs/platform/limits/maybe-async.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { AuthenticationGuard } from '#libs/http/authentication/authentication.js';
import type { AddressWindows } from './address-windows.js';
import type { CallerAddresses } from './caller-addresses.js';

export interface LimitingDependencies {
  readonly limiter: Limiter;
  readonly table: LimitTable;
  readonly callers: CallerAddresses;
  readonly clock: Clock;
}

export interface CountedRequest {
  readonly museId: string;
  readonly fields: RequestFields;
  readonly signature: string | undefined;
  /** Equal in a repetition of the purchase, even under a new signature. */
  readonly payment: string | undefined;
}

/**
 * Limits of one write. The limits of a muse at an endpoint count successful requests: refused ones are refunded. All
 * other limits count every request.
 */
export class RequestLimits implements AuthenticationGuard {
  private readonly usageByLimit = new Map<string, LimitUsage>();
  private readonly refundable: TakenPoint[] = [];
  private readonly lookUps: TakenPoint[] = [];
  private readonly countedLimits = new Set<string>();
  private museId = '';

  constructor(
    private readonly dependencies: LimitingDependencies,
    private readonly limits: readonly EndpointLimit[],
    private readonly ip: string,
    private readonly isKeyless: boolean,
    private readonly unsigned: AddressWindows,
  ) {}

  countUnsigned(): void {
    const { window, refusal } = this.unsigned.take(this.ip, 1);
    if (refusal) throw refusal;
    this.note(this.unsigned.usageOf(window));
  }

  mayAuthenticate(): MaybeAsync<void> {
    const limit = this.effectiveLimit(FAILED_AUTHENTICATIONS);
    const checked = mapMaybeAsync(this.subject(limit), subject => this.dependencies.limiter.check(limit, subject));
    return mapMaybeAsync(checked, usage => usage && this.note(usage));
  }

  authenticationFailed(): MaybeAsync<void> {
    return this.take(FAILED_AUTHENTICATIONS);
  }

  async mayLookUp(): Promise<void> {
    await this.take(SIBLING_LOOKUPS, [], this.lookUps);
    try {
      await this.take(SIBLING_LOOKUPS_IN_ALL, [], this.lookUps);
    } catch (error) {
      await this.refundLookUp();
      throw error;
    }
  }

  async refundLookUp(): Promise<void> {
    for (const taken of this.lookUps.splice(0)) await taken.refund();
  }

  async count({ museId, fields, signature, payment }: CountedRequest): Promise<void> {
    this.museId = museId;
    const request = signature === undefined ? [] : [signature];
    const purchase = payment === undefined ? request : [...request, payment];
    const general = museId === '' ? undefined : this.take(REQUESTS, request);
    if (general) await general;
    for (const limit of this.limits) {
      if (limit.of || limit.when?.(fields) === false) continue;
      const taken = this.take(limit, purchase, limit.per === 'muse' ? this.refundable : undefined);
      if (taken) await taken;
    }
  }

  /**
   * Counts the events about to be appended. Each limit counts a request once, even if it is decided again after a
   * conflict. Requests for the same `place` count as one, because only one of them can succeed.
   */
  async admit(facts: readonly { readonly type: string }[], place: string): Promise<void> {
    const types = new Set(facts.map(({ type }) => type));
    for (const limit of this.limits) {
      if (!limit.of || !types.has(limit.of.type) || this.countedLimits.has(limit.name)) continue;
      await this.take(limit, [`${this.museId}/${place}`], this.refundable);
      this.countedLimits.add(limit.name);
    }
  }

  async giveBack(): Promise<void> {
    for (const taken of this.refundable.splice(0)) this.note(await taken.refund());
  }

  headers(): { readonly [name: string]: string } {
    const declared = [...(this.isKeyless ? [] : [REQUESTS]), ...this.limits].map(limit => this.effectiveLimit(limit));
    const usages = [...this.usageByLimit.values()];
    const others = usages.map(({ limit }) => limit).filter(({ name }) => !declared.some(limit => limit.name === name));
    const now = this.dependencies.clock.now();
    return {
      'ratelimit-policy': rateLimitPolicyHeader([...declared, ...others]),
      ...(usages.length > 0 && { ratelimit: rateLimitHeader(usages, now) }),
    };
  }

  private take(limit: Limit, once: readonly string[] = [], refundable?: TakenPoint[]): MaybeAsync<void> {
    const effectiveLimit = this.effectiveLimit(limit);
    const taking = mapMaybeAsync(this.subject(effectiveLimit), subject =>
      this.dependencies.limiter.takePoint(effectiveLimit, subject, once),
    );
    return mapMaybeAsync(taking, taken => {
      this.note(taken.usage);
      refundable?.push(taken);
    });
  }

  note(usage: LimitUsage): void {
    this.usageByLimit.set(usage.limit.name, usage);
  }

  private effectiveLimit(limit: Limit): Limit {
    const { table, callers } = this.dependencies;
    return table.limitFor(limit, limit.per === 'address' && callers.of(this.ip).isLoopback);
  }

  /** A window that began under the previous day's hash continues under it. */
  private subject(limit: Limit): MaybeAsync<string> {
    if (limit.per === 'muse') return this.museId;
    if (limit.per === 'service') return limit.per;
    const { limiter, callers } = this.dependencies;
    const { now, before } = callers.hashesOf(callers.of(this.ip).address, limit.seconds);
    if (before === undefined) return now;
    return mapMaybeAsync(limiter.isCounting(limit, before), isCounting => (isCounting ? before : now));
  }
}
