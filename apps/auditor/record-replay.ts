import type { Findings } from '#libs/audit/findings.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { LoggedRecords } from '#libs/audit/records.js';
import { foldBatch, startReplay } from '#libs/audit/replay.js';
import { feedSource } from '#libs/audit/sources/feed.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import type { LogVerifier } from '#libs/audit/verify-log.js';
import { Items } from '#libs/features/feed/views/items.js';
import { Deliveries } from '#libs/features/hires/views/deliveries.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { LaterStates } from '#libs/features/hires/views/later-states.js';
import { Rechecks } from '#libs/features/hires/views/rechecks.js';
import { Links } from '#libs/features/identity/views/links.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { RoleTerms } from '#libs/features/jobs/views/role-terms.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { EndorsementCounts } from '#libs/features/network/views/endorsement-counts.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { openModels, SIGNED_READS } from './replayed-reads.js';

/** Projections that records and credentials read, with the steps of all features. */
const NAMES: ReadonlySet<string> = new Set(
  [
    Hires,
    Deliveries,
    LaterStates,
    Rechecks,
    Items,
    Applications,
    Roles,
    RoleTerms,
    Muses,
    Links,
    EndorsementCounts,
  ].map(({ name }) => name),
);
const READ = PROJECTIONS.filter(({ name }) => NAMES.has(name));
const TYPES: ReadonlySet<string> = new Set(READ.flatMap(({ types }) => types));
const BATCH_SIZE = 1_000;

/** Folds the events of records and credentials while they are verified. */
export class RecordReplay {
  private readonly targets = startReplay(READ);

  constructor(private readonly address: string) {}

  follow({ events }: Pick<EventSource, 'events'>): Pick<EventSource, 'events'> {
    return { events: findings => this.fold(events(findings), findings) };
  }

  /** Opens the documents of the events so far. */
  async open(verifier: LogVerifier): Promise<LoggedRecords & { close(): Promise<void> }> {
    let opened = await openModels(this.targets);
    const catchUp = async () => {
      const later = feedSource(this.address, undefined, verifier.head ?? undefined);
      await verifier.examine(this.follow(later));
      await opened.close();
      opened = await openModels(this.targets);
    };
    const expected = async (path: string): Promise<JsonObject | null> => {
      const [start, read] = Object.entries(SIGNED_READS).find(([start]) => path.startsWith(start))!;
      const payload = await read(opened.models, path.slice(start.length));
      return JSON.parse(JSON.stringify(payload)) as JsonObject | null;
    };
    return { expected, catchUp, close: () => opened.close() };
  }

  private async *fold(events: AsyncIterable<PublicEvent>, findings: Findings): AsyncGenerator<PublicEvent> {
    let batch: PublicEvent[] = [];
    for await (const event of events) {
      if (TYPES.has(event.type)) batch.push(event);
      if (batch.length === BATCH_SIZE) batch = this.foldBatch(batch, findings);
      yield event;
    }
    this.foldBatch(batch, findings);
  }

  private foldBatch(batch: readonly PublicEvent[], findings: Findings): [] {
    try {
      foldBatch(this.targets, batch);
    } catch (error) {
      findings.add('record', `The records cannot be made from these events: ${(error as Error).message}`);
    }
    return [];
  }
}
