import { SECOND_MS } from '#libs/kernel/clock.js';
import { Gauge, type Registry } from 'prom-client';

/** The numbers in an answer of `GET /api/health`. */
export interface HealthNumbers {
  readonly event_log: { readonly kind: string; readonly reachable: boolean; readonly position: string | null };
  readonly documents: { readonly kind: string; readonly reachable: boolean };
  readonly projections: readonly { readonly name: string; readonly lag: number; readonly state: string }[];
  readonly reactions: readonly { readonly name: string; readonly lag: number; readonly state: string }[];
  readonly webhooks: { readonly waiting: number; readonly failing: number } | null;
  readonly payments: {
    readonly open: number | null;
    readonly oldest_ms: number | null;
    readonly not_applied: number | null;
    readonly unclear: number | null;
    readonly rails: readonly {
      readonly rail: string;
      readonly reachable: boolean;
      readonly transactions_left: number | null;
    }[];
  };
}

/** Health as gauges, set anew at each scrape. What is unknown is left out. */
export class HealthMetrics {
  private readonly reachable;
  private readonly position;
  private readonly lag;
  private readonly running;
  private readonly waiting;
  private readonly reacting;
  private readonly hooksWaiting;
  private readonly hooksFailing;
  private readonly open;
  private readonly oldest;
  private readonly notApplied;
  private readonly unclear;
  private readonly rails;
  private readonly gas;

  constructor(registry: Registry) {
    const gauge = (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name, help, labelNames, registers: [registry] });
    this.reachable = gauge('store_reachable', 'Whether a store answers', 'store', 'kind');
    this.position = gauge('event_log_position', 'The newest position of the event log');
    this.lag = gauge(
      'projection_lag_events',
      'Events that a projection does not contain yet, 1,000 at most',
      'projection',
    );
    this.running = gauge('projection_running', '0 where a projection has stopped', 'projection');
    this.waiting = gauge('reaction_lag_events', 'Events that wait for a reaction, 1,000 at most', 'reaction');
    this.reacting = gauge('reaction_running', '0 where a reaction fails again and again', 'reaction');
    this.hooksWaiting = gauge('webhooks_waiting', 'Webhooks that something waits for, 1,000 at most');
    this.hooksFailing = gauge('webhooks_failing', 'Those of them whose receiver did not take a message');
    this.open = gauge('payments_open', 'Payments that have not ended');
    this.oldest = gauge('payments_oldest_seconds', 'Age of the oldest payment that has not ended');
    this.notApplied = gauge('payments_not_applied', 'Payments that have settled and whose effect fails');
    this.unclear = gauge('payments_unclear', 'Payments that a chain shows as used while no node shows where');
    this.rails = gauge('rail_reachable', 'Whether the chain of a rail answers', 'rail');
    this.gas = gauge('relayer_transactions_left', 'How many transactions the relayer can pay for', 'rail');
  }

  /** `null` where health could not be found out. */
  set(report: HealthNumbers | null): void {
    for (const gauge of this.all()) gauge.reset();
    if (report === null) return;
    const { event_log: log, documents, projections, reactions, payments } = report;
    this.reachable.set({ store: 'event_log', kind: log.kind }, Number(log.reachable));
    this.reachable.set({ store: 'documents', kind: documents.kind }, Number(documents.reachable));
    for (const { name, lag, state } of projections) {
      this.lag.set({ projection: name }, lag);
      this.running.set({ projection: name }, Number(state === 'running'));
    }
    for (const { name, lag, state } of reactions) {
      this.waiting.set({ reaction: name }, lag);
      this.reacting.set({ reaction: name }, Number(state === 'running'));
    }
    for (const { rail, reachable, transactions_left: left } of payments.rails) {
      this.rails.set({ rail }, Number(reachable));
      if (left !== null) this.gas.set({ rail }, left);
    }
    this.setOrLeaveOut(this.position, log.position === null ? null : Number(log.position));
    this.setOrLeaveOut(this.hooksWaiting, report.webhooks?.waiting ?? null);
    this.setOrLeaveOut(this.hooksFailing, report.webhooks?.failing ?? null);
    this.setOrLeaveOut(this.open, payments.open);
    this.setOrLeaveOut(this.notApplied, payments.not_applied);
    this.setOrLeaveOut(this.unclear, payments.unclear);
    this.setOrLeaveOut(this.oldest, payments.open === null ? null : (payments.oldest_ms ?? 0) / SECOND_MS);
  }

  private setOrLeaveOut(gauge: Gauge, value: number | null): void {
    if (value === null) gauge.remove();
    else gauge.set(value);
  }

  private all(): readonly Gauge[] {
    const stores = [this.reachable, this.position, this.lag, this.running, this.waiting, this.reacting];
    return [
      ...stores,
      this.hooksWaiting,
      this.hooksFailing,
      this.open,
      this.oldest,
      this.notApplied,
      this.unclear,
      this.rails,
      this.gas,
    ];
  }
}
