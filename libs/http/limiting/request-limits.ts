import type { RequestFields } from '#libs/kernel/event.js';
import {
  FAILED_AUTHENTICATIONS,
  REQUESTS,
  SIBLING_LOOKUPS,
  SIBLING_LOOKUPS_IN_ALL,
} from '#libs/platform/limits/general-limits.js';
import { rateLimitPolicyHeader, rateLimitHeader } from '#libs/platform/limits/rate-limit-headers.js';
import type { EndpointLimit, Limit } from '#libs/platform/limits/limit.js';
import type { LimitTable } from '#libs/platform/limits/limit-table.js';
import type { Limiter, LimitUsage, TakenPoint } from '#libs/platform/limits/limiter.js';
import { type MaybeAsync, mapMaybeAsync } from '#libs/platform/limits/maybe-async.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { AuthenticationGuard } from '../authentication/authentication-guard.js';
import type { CallerAddresses } from './caller-addresses.js';

export interface LimitingDependencies {
  readonly limiter: Limiter;
  readonly table: LimitTable;
  readonly callers: CallerAddresses;
  readonly clock: Clock;
}

/** A request whose caller is known. */
export interface Counted {
  /** Empty where nobody signs for it. */
  readonly museId: string;
  readonly fields: RequestFields;
  /** What an identical signed request has too. */
  readonly signature: string | undefined;
  /** What a repetition of the same purchase has too, signed anew or not. */
  readonly payment: string | undefined;
}

/**
 * The limits that one write is counted against. The limits of a muse at one endpoint count what was carried out: what
 * is refused is given back. All the others count requests.
 */
export class RequestLimits implements AuthenticationGuard {
  private readonly standings = new Map<string, LimitUsage>();
  private readonly refundable: TakenPoint[] = [];
  private readonly lookUps: TakenPoint[] = [];
  private readonly counted = new Set<string>();
  private museId = '';

  constructor(
    private readonly dependencies: LimitingDependencies,
    private readonly limits: readonly EndpointLimit[],
    private readonly ip: string,
    private readonly isKeyless: boolean,
  ) {}

  /** Refuses with 429 whose address has sent too many wrong signatures and tokens. */
  mayAuthenticate(): MaybeAsync<void> {
    const limit = this.inForce(FAILED_AUTHENTICATIONS);
    const standing = mapMaybeAsync(this.who(limit), who => this.dependencies.limiter.check(limit, who));
    return mapMaybeAsync(standing, found => found && this.note(found));
  }

  /** Counts a wrong signature or token; the one too many is refused with 429. */
  authenticationFailed(): MaybeAsync<void> {
    return this.take(FAILED_AUTHENTICATIONS);
  }

  /** Counts a look-up of an identity that nobody here knows; one too many, of this address or of all, is refused with 429. */
  async mayLookUp(): Promise<void> {
    await this.take(SIBLING_LOOKUPS, [], this.lookUps);
    try {
      await this.take(SIBLING_LOOKUPS_IN_ALL, [], this.lookUps);
    } catch (error) {
      await this.lookedUp();
      throw error;
    }
  }

  async lookedUp(): Promise<void> {
    for (const taken of this.lookUps.splice(0)) await taken.refund();
  }

  /** Counts the request, once it is known whose it is. */
  async count({ museId, fields, signature, payment }: Counted): Promise<void> {
    this.museId = museId;
    const request = signature === undefined ? [] : [signature];
    const purchase = payment === undefined ? request : [...request, payment];
    const general = museId === '' ? undefined : this.take(REQUESTS, request);
    if (general) await general;
    for (const limit of this.limits) {
      if (limit.of || limit.when?.(fields) === false) continue;
      const own = this.take(limit, purchase, limit.per === 'muse' ? this.refundable : undefined);
      if (own) await own;
    }
  }

  /**
   * Counts what is about to be written. Each limit counts a request once, however often it has to decide; and of several
   * that would write in the same `place` one alone can, so that they count once together.
   */
  async admit(facts: readonly { readonly type: string }[], place: string): Promise<void> {
    const types = new Set(facts.map(({ type }) => type));
    for (const limit of this.limits) {
      if (!limit.of || !types.has(limit.of.type) || this.counted.has(limit.name)) continue;
      await this.take(limit, [`${this.museId}/${place}`], this.refundable);
      this.counted.add(limit.name);
    }
  }

  /** The request was not carried out. */
  async giveBack(): Promise<void> {
    for (const taken of this.refundable.splice(0)) this.note(await taken.refund());
  }

  headers(): { readonly [name: string]: string } {
    const own = [...(this.isKeyless ? [] : [REQUESTS]), ...this.limits].map(limit => this.inForce(limit));
    const standings = [...this.standings.values()];
    const others = standings.map(({ limit }) => limit).filter(({ name }) => !own.some(limit => limit.name === name));
    const now = this.dependencies.clock.now();
    return {
      'ratelimit-policy': rateLimitPolicyHeader([...own, ...others]),
      ...(standings.length > 0 && { ratelimit: rateLimitHeader(standings, now) }),
    };
  }

  /** What is taken among the `refundable` may be given back. */
  private take(limit: Limit, once: readonly string[] = [], refundable?: TakenPoint[]): MaybeAsync<void> {
    const inForce = this.inForce(limit);
    const taking = mapMaybeAsync(this.who(inForce), who => this.dependencies.limiter.takePoint(inForce, who, once));
    return mapMaybeAsync(taking, taken => {
      this.note(taken.usage);
      refundable?.push(taken);
    });
  }

  /** What an answer says of a limit, a refusal by it too. */
  note(standing: LimitUsage): void {
    this.standings.set(standing.limit.name, standing);
  }

  private inForce(limit: Limit): Limit {
    const { table, callers } = this.dependencies;
    return table.limitFor(limit, limit.per === 'address' && callers.of(this.ip).isLoopback);
  }

  /** Who is counted. A window that began under the address's hash of the day before goes on under that. */
  private who(limit: Limit): MaybeAsync<string> {
    if (limit.per === 'muse') return this.museId;
    if (limit.per === 'service') return limit.per;
    const { limiter, callers } = this.dependencies;
    const { now, before } = callers.hashesOf(callers.of(this.ip).address, limit.seconds);
    if (before === undefined) return now;
    return mapMaybeAsync(limiter.isCounting(limit, before), isCounting => (isCounting ? before : now));
  }
}
