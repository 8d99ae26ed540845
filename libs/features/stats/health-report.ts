import { Injectable } from '@nestjs/common';
import type { Static } from 'typebox';
import { Service } from '#libs/domain/service.js';
import { DocumentStore } from '#libs/documents/document-store.port.js';
import { isStalled, ReactionHealthReader } from '#libs/documents/health.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { Coordination } from '#libs/platform/coordination/port.js';
import { StartupGate } from '#libs/http/startup-gate.js';
import { Clock, HOUR_MS } from '#libs/kernel/clock.js';
import { orNullAfter } from '#libs/payments/or-null-after.js';
import { VERSION } from '#libs/kernel/version.js';
import {
  canSettle,
  type OpenHealth,
  PaymentsHealth,
  type ReconciliationHealth,
} from '#libs/payments/payments.health.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { ReactionRegistry } from '#libs/endpoints/registries.js';
import { Vault } from '#libs/platform/vault/port.js';
import { WebhookStatus } from '#libs/features/webhooks/public.js';
import { EVENT_TYPES_ID, EventTypesView } from '#libs/views/event-types.js';
import { findWrittenVersion } from '#libs/kernel/event-type.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import * as w from '#libs/values/answer-schema.js';

const PROBE_MS = 2_000;

const lag = w.orNull(
  w.integer(0, 'Number of events that are not processed yet; null, and `degraded`, if they cannot be counted'),
);

const Projection = w.object({
  name: w.text('muses', 'Name of the projection'),
  version: w.integer(1, 'Version of its code'),
  position: w.position,
  lag,
  waiting_since: w.orNull(w.time('Time of the first unprocessed event, unix ms. After 30 s the status is `degraded`')),
  state: w.means('Whether it runs', w.oneOf('running', 'stopped')),
  reason: w.rarelyPresent(w.text('disk full', 'Why it stopped')),
});

const Reaction = w.object({
  name: w.text('read-delivery', 'Name of the reaction'),
  position: w.position,
  lag,
  state: w.means('Whether it runs', w.oneOf('running', 'failing')),
  reason: w.rarelyPresent(w.text('Delivered 0b9c at position 00000000000000000042: disk full', 'Why it fails')),
});

const Rail = w.object({
  rail: w.rail,
  reachable: w.flag(true, 'Whether a chain node answers'),
  domain_separator: w.orNull(w.means('Whether the token has the expected signing domain', w.oneOf('ok', 'wrong'))),
  addresses_agree: w.orNull(w.flag(true, 'Whether all RPC addresses serve the same chain')),
  transactions_left: w.orNull(
    w.integer(1_000, 'Number of transactions that the poorest relayer can pay for. Few make the status `degraded`'),
  ),
});

const Webhooks = w.part('Delivery of webhooks; null if unknown', {
  position: w.position,
  waiting: w.integer(0, 'Webhooks with pending messages, counted up to 1,000'),
  failing: w.integer(0, 'Webhooks whose messages are being retried'),
});

/** `ok`: whether writes are accepted. That needs the log, the documents (also for coordination) and filled projections. */
export const HEALTH = w.object({
  status: w.means('`degraded`: the operator must look', w.oneOf('ok', 'degraded')),
  version: w.text('0.9.0', 'Version of the service'),
  event_log: w.part('The event log', {
    kind: w.text('sqlite', 'Kind of the store'),
    reachable: w.flag(true, 'Whether it accepts writes'),
    position: w.orNull(w.position),
    unknown_types: w.orNull(w.list(w.text('RoleRenamed'), 'Event types of a newer build: `type` or `type@version`')),
    clock_moved_at: w.orNull(
      w.time('When the clock of a process was last behind the log, unix ms. The status is `degraded` for an hour'),
    ),
  }),
  filling: w.orNull(
    w.part('Progress of a build of projections; null without one', {
      events: w.integer(50_000, 'Processed events'),
      of: w.integer(100_000, 'Events to process in all'),
    }),
  ),
  documents: w.part('The document store', {
    kind: w.text('sqlite', 'Kind of the store'),
    reachable: w.flag(true, 'Whether it answers'),
  }),
  vault: w.part('The key store', { reachable: w.flag(true, 'Whether it answers') }),
  projections: w.list(Projection, 'Projections of the log into documents'),
  reactions: w.list(Reaction, 'Background reactions to events. A failing reaction retries its event'),
  payments: w.part('Payments and their chains', {
    open: w.orNull(w.integer(0, 'Open payments')),
    oldest_ms: w.orNull(w.integer(0, 'Age of the oldest open payment')),
    not_applied: w.orNull(w.integer(0, 'Settled payments whose effect failed and is still owed')),
    unclear: w.orNull(w.integer(0, 'Payments that are used on the chain, but whose transaction no RPC address finds')),
    accounts_without_key: w.orNull(
      w.list(w.wallet, 'Accounts with open escrows whose key is not in `RELAYER_KEY_FILE`'),
    ),
    differences: w.orNull(
      w.integer(0, 'Differences between the log and the chains, found by `operator payments --reconcile`'),
    ),
    reconciled_at: w.orNull(w.time('When log and chains were last compared, unix ms; null before the first time')),
    rails: w.list(Rail, 'Tokens and chains of payments'),
  }),
  webhooks: w.orNull(Webhooks),
  uptime_s: w.integer(60, 'Seconds since the start of this process'),
});
export type Health = DeepReadonly<Static<typeof HEALTH>> & { readonly ok: boolean };

@Injectable()
export class HealthReport {
  private readonly startedAt: number;
  private readonly reactions: ReactionHealthReader;

  constructor(
    private readonly log: EventLog,
    private readonly journal: Journal,
    private readonly vault: Vault,
    private readonly documents: DocumentStore,
    private readonly coordination: Coordination,
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
    const hasState = await withinProbe(this.coordination.get('health', this.clock.now()).then(() => true as const));
    const projections = hasState && (await withinProbe(this.models.states(head)));
    const open = projections && (await withinProbe(this.payments.open()));
    const reconciliation = vault && (await withinProbe(this.payments.reconciliation()));
    const unknownTypes = projections && (await withinProbe(findUnknownTypes(this.models)));
    const reactions = projections && head && (await withinProbe(this.reactions.states(head)));
    const webhooks = projections && (await withinProbe(this.webhooks.health()));
    const clockMovedAt = head === null ? null : await withinProbe(this.findClockMove());
    const acceptsWrites = head !== null && !this.journal.isRejectingWrites;
    const ok = this.opening.isOpen && acceptsWrites && vault !== null && projections !== null;
    const hasFault = [...(projections ?? []), ...(reactions || [])].some(
      ({ state, lag }) => state !== 'running' || lag === null,
    );
    const isStuck =
      needsHelp(open) ||
      differs(reconciliation) ||
      !rails?.every(canSettle) ||
      projections?.some(each => isStalled(each, this.clock.now()));
    const wasClockBehind = Math.abs(this.clock.now() - (clockMovedAt ?? 0)) < HOUR_MS;
    const degraded = !ok || !reactions || hasFault || unknownTypes?.length !== 0 || isStuck || wasClockBehind;
    const body: Health = {
      ok,
      status: degraded ? 'degraded' : 'ok',
      version: VERSION,
      event_log: {
        kind: log.kind,
        reachable: acceptsWrites,
        position: head,
        unknown_types: unknownTypes,
        clock_moved_at: clockMovedAt,
      },
      filling: this.opening.filling,
      documents: { kind: this.documents.kind, reachable: projections !== null },
      vault: { reachable: vault !== null },
      projections: projections ?? [],
      reactions: reactions || [],
      payments: {
        ...(open ?? UNKNOWN_PAYMENTS),
        ...(reconciliation ?? UNKNOWN_DIFFERENCES),
        rails: rails ?? this.payments.unreachableRails(),
      },
      webhooks,
      uptime_s: Math.floor((this.clock.now() - this.startedAt) / 1_000),
    };
    return { status: ok ? 200 : 503, body };
  }

  private async findClockMove(): Promise<number | null> {
    const { state } = await this.journal.load(Service.source());
    return state.clockMoves.at(-1)?.to ?? null;
  }
}

const UNKNOWN_PAYMENTS = { open: null, oldest_ms: null, not_applied: null, unclear: null, accounts_without_key: null };
const UNKNOWN_DIFFERENCES = { differences: null, reconciled_at: null };
const differs = (reconciliation: ReconciliationHealth | null) => (reconciliation?.differences ?? 0) > 0;
/** Whether a payment needs the operator to continue. */
const needsHelp = (open: OpenHealth | null) =>
  open !== null && open.not_applied + open.unclear + open.accounts_without_key.length > 0;

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
