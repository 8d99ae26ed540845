import { Injectable } from '@nestjs/common';
import { Coordination } from '#libs/platform/coordination/port.js';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { within } from '#libs/platform/bounds/time-limit.js';
import type { Fact } from '#libs/kernel/event.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { DeliveryDrifted, DeliveryMatches, Hire, hasDelivery, partiesOf } from '#libs/features/hires/domain/hire.js';
import { requireVisible } from '#libs/endpoints/decision.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import type { HireDocument } from '#libs/features/hires/views/hires.js';
import { type DeliveryContent, readInternalDelivery } from './delivery-content.js';

/** Maximum delay that a comparison adds to reading a record. */
const WAIT_MS = 2 * SECOND_MS;
const RESULT_KEPT_MS = 30 * DAY_MS;

export class DriftSettings {
  constructor(
    /** `DRIFT_CHECK_SECONDS`. */
    readonly freshMs: number,
  ) {}
}

interface DriftState {
  /** Null if the address or the delivery could not be read. */
  readonly matches: boolean | null;
  /** Unix ms; null before the first comparison. */
  readonly checked_at: number | null;
}

const NEVER_COMPARED: DriftState = { matches: null, checked_at: null };

interface ComparisonResult {
  readonly live: DriftState;
  readonly changed: boolean;
}

const unchanged = (live: DriftState): ComparisonResult => ({ live, changed: false });

/** Records each change between drifted and matching once, in both directions. */
export function recordDrift(hire: Hire, delivery: number, digest: string): Fact[] {
  if (!hasDelivery(hire)) return [];
  const { delivery: latest } = hire;
  if (latest.delivery !== delivery || !latest.digest) return [];
  const parties = { ...partiesOf(hire), delivery };
  if (digest === latest.digest) return latest.drifted === null ? [] : [DeliveryMatches({ ...parties, digest })];
  if (digest === latest.drifted) return [];
  return [DeliveryDrifted({ ...parties, digest, was: latest.digest })];
}

interface ComparedDelivery {
  readonly hire: number;
  readonly delivery: number;
  readonly digest: string | null;
}

export const compareDelivery = defineServiceCommand('compare-delivery', {
  reason: 'a delivery was compared',
  events: [DeliveryDrifted, DeliveryMatches],
  causes: ['drift/<hire>/<delivery>/<at>'],
  writes: ({ hire }: ComparedDelivery) => Hire.source(hire),
  decide: (hire, _reads, { delivery, digest }) => recordDrift(hire, delivery, requireVisible(digest)),
});

@Injectable()
export class DriftChecker {
  private readonly running = new Map<string, Promise<ComparisonResult>>();

  constructor(
    private readonly commands: ServiceCommands,
    private readonly coordination: Coordination,
    private readonly safeFetch: SafeFetch,
    private readonly settings: DriftSettings,
  ) {}

  /** Returns the last comparison, or a new one if it is stale. Does not wait for a slow one. */
  async checkLive(hire: HireDocument): Promise<ComparisonResult> {
    const { delivery, worker } = hire;
    const internal = delivery && (await readInternalDelivery(this.commands.journal, { ...delivery, worker }));
    if (internal) return unchanged(await this.comparePost(hire, matchesDelivery(internal, delivery.digest)));
    if (!delivery?.url || delivery.digest === null) return unchanged(NEVER_COMPARED);
    const lastState = await this.loadState(hire.hire, delivery.version);
    if (this.isFresh(lastState)) return unchanged(lastState);
    const compared = this.startComparison(hire, delivery.version, delivery.url, lastState);
    return within(WAIT_MS, compared, () => unchanged(lastState));
  }

  /**
   * A post changes only by deletion, so it is read each time; the stored state only limits how often `checked_at`
   * moves.
   */
  private async comparePost({ hire, delivery }: HireDocument, matches: boolean | null): Promise<DriftState> {
    const lastState = await this.loadState(hire, delivery!.version);
    if (lastState.matches === matches && this.isFresh(lastState)) return lastState;
    return this.saveState(hire, delivery!.version, { matches, checked_at: this.commands.clock.now() });
  }

  private isFresh({ checked_at: at }: DriftState): boolean {
    return at !== null && this.commands.clock.now() - at < this.settings.freshMs;
  }

  private startComparison(
    { hire, worker }: HireDocument,
    version: number,
    url: string,
    lastState: DriftState,
  ): Promise<ComparisonResult> {
    const running = this.running.get(key(hire, version));
    if (running) return running;
    // Without the catch, a failure after the reader stopped waiting would be an unhandled rejection.
    const started = this.compareNow(hire, version, url, worker)
      .catch(() => unchanged(lastState))
      .finally(() => this.running.delete(key(hire, version)));
    this.running.set(key(hire, version), started);
    return started;
  }

  private async compareNow(hire: number, version: number, url: string, worker: string): Promise<ComparisonResult> {
    // A separate account: reading records must not use up the fetch limit of the worker's next delivery.
    const content = await this.safeFetch.fetch(url, { account: `drift/${worker}` });
    const at = this.commands.clock.now();
    if (!content.ok) return unchanged(await this.saveState(hire, version, { matches: null, checked_at: at }));
    const compared = { hire, delivery: version, digest: content.digest };
    const cause = `drift/${hire}/${version}/${at}`;
    const { state, events } = await this.commands.execute(compareDelivery, compared, { cause, at });
    const matches = hasDelivery(state) && state.delivery.digest === content.digest;
    return { live: await this.saveState(hire, version, { matches, checked_at: at }), changed: events.length > 0 };
  }

  private async loadState(hire: number, version: number): Promise<DriftState> {
    const text = await this.coordination.get(key(hire, version), this.commands.clock.now());
    return text === undefined ? NEVER_COMPARED : (JSON.parse(text) as DriftState);
  }

  private async saveState(hire: number, version: number, live: DriftState): Promise<DriftState> {
    const now = this.commands.clock.now();
    const text = JSON.stringify(live);
    const stored = await this.coordination.putIfAbsent(key(hire, version), text, now + RESULT_KEPT_MS, now);
    if (stored !== undefined)
      await this.coordination.compareAndSet(key(hire, version), stored, text, now + RESULT_KEPT_MS, now);
    return live;
  }
}

/** Null if the delivery was not read, or an erasure hides its content. */
function matchesDelivery(content: DeliveryContent, digest: string | null): boolean | null {
  if (digest === null) return null;
  return content.ok ? content.digest === digest : content.isDeleted ? false : null;
}

const key = (hire: number, version: number) => `drift/${hire}/${version}`;
