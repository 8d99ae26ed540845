import { Gauge, type Registry } from 'prom-client';
import type { Health } from '#libs/features/stats/health-report.js';
import { SECOND_MS } from '#libs/kernel/clock.js';

/** Gauges, set again at each scrape. Unknown values are left out. */
export class HealthMetrics {
  private readonly gauges;

  constructor(registry: Registry) {
    const gauge = (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name, help, labelNames, registers: [registry] });
    const lagHelp = 'Events that a projection has not processed, 1,000 at most';
    this.gauges = {
      reachable: gauge('store_reachable', 'Whether a store can be reached', 'store', 'kind'),
      position: gauge('event_log_position', 'Latest position of the event log'),
      lag: gauge('projection_lag_events', lagHelp, 'projection'),
      running: gauge('projection_running', '0 if a projection has stopped', 'projection'),
      waiting: gauge('reaction_lag_events', 'Events that wait for a reaction, 1,000 at most', 'reaction'),
      reacting: gauge('reaction_running', '0 if a reaction keeps failing', 'reaction'),
      hooksWaiting: gauge('webhooks_waiting', 'Webhooks with pending messages, 1,000 at most'),
      hooksFailing: gauge('webhooks_failing', 'Webhooks with pending messages whose last delivery failed'),
      open: gauge('payments_open', 'Unfinished payments'),
      oldest: gauge('payments_oldest_seconds', 'Age of the oldest unfinished payment'),
      notApplied: gauge('payments_not_applied', 'Settled payments whose action fails'),
      unclear: gauge('payments_unclear', 'Payments used on a chain whose transaction no node shows'),
      differences: gauge('payments_differences', 'Unexplained differences between the log and the chains'),
      keyless: gauge('payments_accounts_without_key', 'Accounts with open escrows whose key is missing'),
      rails: gauge('rail_reachable', 'Whether the chain of a rail can be reached', 'rail'),
      gas: gauge('relayer_transactions_left', 'How many transactions the relayer can pay for', 'rail'),
    };
  }

  /** `null` if the health check failed. */
  set(report: Health | null): void {
    const { gauges } = this;
    for (const gauge of Object.values(gauges)) gauge.reset();
    if (report === null) return;
    const { event_log: log, documents, projections, reactions, payments } = report;
    gauges.reachable.set({ store: 'event_log', kind: log.kind }, Number(log.reachable));
    gauges.reachable.set({ store: 'documents', kind: documents.kind }, Number(documents.reachable));
    for (const { name, lag, state } of projections) {
      if (lag !== null) gauges.lag.set({ projection: name }, lag);
      gauges.running.set({ projection: name }, Number(state === 'running'));
    }
    for (const { name, lag, state } of reactions) {
      if (lag !== null) gauges.waiting.set({ reaction: name }, lag);
      gauges.reacting.set({ reaction: name }, Number(state === 'running'));
    }
    for (const { rail, reachable, transactions_left: transactionsLeft } of payments.rails) {
      gauges.rails.set({ rail }, Number(reachable));
      if (transactionsLeft !== null) gauges.gas.set({ rail }, transactionsLeft);
    }
    setOrLeaveOut(gauges.position, log.position === null ? null : Number(log.position));
    setOrLeaveOut(gauges.hooksWaiting, report.webhooks?.waiting ?? null);
    setOrLeaveOut(gauges.hooksFailing, report.webhooks?.failing ?? null);
    setOrLeaveOut(gauges.open, payments.open);
    setOrLeaveOut(gauges.notApplied, payments.not_applied);
    setOrLeaveOut(gauges.unclear, payments.unclear);
    setOrLeaveOut(gauges.differences, payments.differences);
    setOrLeaveOut(gauges.keyless, payments.accounts_without_key?.length ?? null);
    setOrLeaveOut(gauges.oldest, payments.open === null ? null : (payments.oldest_ms ?? 0) / SECOND_MS);
  }
}

function setOrLeaveOut(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}
