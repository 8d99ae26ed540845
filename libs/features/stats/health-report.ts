import { Injectable } from '@nestjs/common';
import { DocumentStore } from '#libs/documents/document-store.port.js';
import { isStalled, type ProjectionHealth } from '#libs/documents/projection-health.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { type ReactionHealth, ReactionHealthReader } from '#libs/documents/reactions-health.js';
import { Journal } from '#libs/event-log/journal.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { type StartupProgress, StartupGate } from '#libs/http/startup-gate.js';
import { Clock } from '#libs/kernel/clock.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import { orNullAfter } from '#libs/payments/or-null-after.js';
import { VERSION } from '#libs/kernel/version.js';
import { canSettle, type OpenHealth, PaymentsHealth, type RailHealth } from '#libs/payments/payments.health.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { ReactionRegistry } from '#libs/endpoints/registries.js';
import { Vault } from '#libs/platform/vault/port.js';
import { type WebhooksHealth, WebhookStatus } from '#libs/webhooks/webhook-status.js';
import { EVENT_TYPES_ID, EventTypesView } from '#libs/views/event-types.js';
import { findWrittenVersion } from '#libs/kernel/event-type.js';

const PROBE_MS = 2_000;

export type Health = {
  /** Whether writes are accepted: that needs the log, the documents (also for coordination) and filled projections. */
  readonly ok: boolean;
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly event_log: {
    readonly kind: string;
    readonly reachable: boolean;
    readonly position: Position | null;
    /** Types that this build does not know; null if that cannot be determined. */
    readonly unknown_types: readonly string[] | null;
  };
  /** Progress of the first fill after a start; null if complete, or if another process fills. */
  readonly filling: StartupProgress | null;
  readonly documents: { readonly kind: string; readonly reachable: boolean };
  readonly vault: { readonly reachable: boolean };
  readonly projections: ProjectionHealth[];
  readonly reactions: ReactionHealth[];
  /** Null members are unknown. */
  readonly payments: { readonly [name in keyof OpenHealth]: number | null } & { readonly rails: RailHealth[] };
  readonly webhooks: WebhooksHealth | null;
  readonly uptime_s: number;
};

@Injectable()
export class HealthReport {
  private readonly startedAt: number;
  private readonly reactions: ReactionHealthReader;

  constructor(
    private readonly log: EventLog,
    private readonly journal: Journal,
    private readonly vault: Vault,
    private readonly documents: DocumentStore,
    private readonly models: ReadModels,
    private readonly payments: PaymentsHealth,
    private readonly clock: Clock,
    private readonly webhooks: WebhookStatus,
    private readonly opening: StartupGate,
    { all }: ReactionRegistry,
  ) {
    this.reactions = new ReactionHealthReader(documents, log, all);
    this.startedAt = clock.now();
  }

  /** `status` is the HTTP status for the report. */
  async make(): Promise<{ readonly status: number; readonly body: Health }> {
    const { log } = this;
    const [head, rails, vault] = await Promise.all([
      withinProbe(log.head()),
      withinProbe(this.payments.rails()),
      withinProbe(this.vault.list('secret/', 1)),
    ]);
    const projections = await withinProbe(this.models.states(head ?? LOG_START));
    const open = projections && (await withinProbe(this.payments.open()));
    const unknownTypes = projections && (await withinProbe(findUnknownTypes(this.models)));
    const reactions = projections && head && (await withinProbe(this.reactions.states(head)));
    const webhooks = projections && (await withinProbe(this.webhooks.health()));
    const acceptsWrites = head !== null && !this.journal.isRejectingWrites;
    const ok = this.opening.isOpen && acceptsWrites && vault !== null && projections !== null;
    const stopped = [...(projections ?? []), ...(reactions || [])].some(({ state }) => state !== 'running');
    const isStuck =
      needsHelp(open) || !rails?.every(canSettle) || projections?.some(each => isStalled(each, this.clock.now()));
    const degraded = !ok || !reactions || stopped || unknownTypes?.length !== 0 || isStuck;
    const body: Health = {
      ok,
      status: degraded ? 'degraded' : 'ok',
      version: VERSION,
      event_log: { kind: log.kind, reachable: acceptsWrites, position: head, unknown_types: unknownTypes },
      filling: this.opening.filling,
      documents: { kind: this.documents.kind, reachable: projections !== null },
      vault: { reachable: vault !== null },
      projections: projections ?? [],
      reactions: reactions || [],
      payments: { ...(open ?? UNKNOWN_PAYMENTS), rails: rails ?? this.payments.unreachableRails() },
      webhooks,
      uptime_s: Math.floor((this.clock.now() - this.startedAt) / 1_000),
    };
    return { status: ok ? 200 : 503, body };
  }
}

const UNKNOWN_PAYMENTS = { open: null, oldest_ms: null, not_applied: null, unclear: null };
/** Whether a payment needs the operator to continue. */
const needsHelp = (open: OpenHealth | null) => open !== null && open.not_applied + open.unclear > 0;

/** Returns unknown types, and `type@version` if only older versions are known. */
async function findUnknownTypes(models: ReadModels): Promise<string[]> {
  const versions = (await models.of(EventTypesView).get(EVENT_TYPES_ID))?.body.versions ?? {};
  const unknownTypes = Object.entries(versions).map(([type, versions]) => {
    if (!EVENT_TYPES.has(type)) return [type];
    return versions
      .filter(version => !findWrittenVersion({ type, version }, EVENT_TYPES))
      .map(version => `${type}@${version}`);
  });
  return unknownTypes.flat().sort();
}

const withinProbe = <T>(answer: Promise<T>): Promise<T | null> => orNullAfter(PROBE_MS, answer);
