import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { DocumentStores, EventLogs } from '#libs/http/infrastructure.js';
import { Clock } from '#libs/kernel/clock.js';
import { START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PaymentsHealth } from '#libs/payments/payments.health.js';

export const VERSION = '1.0.0';
const PROBE_MS = 2_000;

export class ShowHealth extends Query<{ readonly status: number; readonly body: JsonObject }> {}

/** Whether the parts that a write needs answer, and how far the read models are. */
@QueryHandler(ShowHealth)
export class ShowHealthHandler implements IQueryHandler<ShowHealth> {
  private readonly startedAt: number;

  constructor(
    private readonly eventLog: EventLogs,
    private readonly documents: DocumentStores,
    private readonly models: ReadModels,
    private readonly payments: PaymentsHealth,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.now();
  }

  async execute() {
    const head = await within(this.eventLog.log.head());
    const projections = (await within(this.models.states(head ?? START))) ?? null;
    const payments = await this.payments.report();
    const stopped = projections?.some(({ state }) => state === 'stopped') ?? true;
    const degraded = head === null || stopped || payments.rails.some(({ reachable }) => !reachable);
    const body = {
      ok: head !== null,
      status: degraded ? 'degraded' : 'ok',
      version: VERSION,
      event_log: { kind: this.eventLog.log.kind, reachable: head !== null, position: head },
      documents: { kind: this.documents.store.kind, reachable: projections !== null },
      projections: projections ?? [],
      payments,
      uptime_s: Math.floor((this.clock.now() - this.startedAt) / 1_000),
    };
    return { status: head === null ? 503 : 200, body };
  }
}

/** The answer, or null where it does not come in time or at all. */
async function within<T>(answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>(resolve => (timer = setTimeout(resolve, PROBE_MS, null)));
  try {
    return await Promise.race([answer, timeout]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
