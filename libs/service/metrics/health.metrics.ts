import { SECOND_MS } from '#libs/kernel/clock.js';
import { Gauge, type Registry } from 'prom-client';

/** Numbers from `GET /api/health`. */
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

/** Gauges, set again at each scrape. Unknown values are left out. */
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
    this.reachable = gauge('store_reachable', 'Whether a store can be reached', 'store', 'kind');
    this.position = gauge('event_log_position', 'Latest position of the event log');
    this.lag = gauge(
      'projection_lag_events',
      'Events that a projection has not processed, 1,000 at most',
      'projection',
    );
    this.running = gauge('projection_running', '0 if a projection has stopped', 'projection');
    this.waiting = gauge('reaction_lag_events', 'Events that wait for a reaction, 1,000 at most', 'reaction');
    this.reacting = gauge('reaction_running', '0 if a reaction keeps failing', 'reaction');
    this.hooksWaiting = gauge('webhooks_waiting', 'Webhooks with pending messages, 1,000 at most');
    this.hooksFailing = gauge('webhooks_failing', 'Webhooks with pending messages whose last delivery failed');
    this.open = gauge('payments_open', 'Unfinished payments');
    this.oldest = gauge('payments_oldest_seconds', 'Age of the oldest unfinished payment');
    this.notApplied = gauge('payments_not_applied', 'Settled payments whose action fails');
    this.unclear = gauge('payments_unclear', 'Payments used on a chain whose transaction no node shows');
    this.rails = gauge('rail_reachable', 'Whether the chain of a rail can be reached', 'rail');
    this.gas = gauge('relayer_transactions_left', 'How many transactions the relayer can pay for', 'rail');
  }

  /** `null` if the health check failed. */
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
    for (const { rail, reachable, transactions_left: transactionsLeft } of payments.rails) {
      this.rails.set({ rail }, Number(reachable));
      if (transactionsLeft !== null) this.gas.set({ rail }, transactionsLeft);
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
