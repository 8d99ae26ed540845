import type { Service } from '#apps/gateway/service.js';
import { DECISIONS, REQUEST_RULES } from '#libs/service/decision-table.js';
import { PURCHASES, SALES } from '#libs/service/sales.js';
import { eventViewer } from '#apps/auditor/source.js';
import { checkCheckpointSigner, fetchCheckpoint } from '#libs/audit/checkpoint.js';
import { type Finding, findingLine } from '#libs/audit/findings.js';
import { feedSource } from '#libs/audit/sources/feed.js';
import { logSource } from '#libs/audit/sources/log.js';
import { LogVerifier, type LogVerification } from '#libs/audit/verify-log.js';
import { MESSAGE_TAG } from '#libs/client/index.js';
import type { FoldedDocument } from '#libs/documents/document-store.port.js';
import { fold, selectEvents } from '#libs/documents/fold.js';
import { type Event, LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import { FORGOTTEN } from '#libs/kernel/event-type.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { checkedProjection } from '../checked-projection.js';
import { authorsIn, forgettingProblems } from '../forgetting.js';
import { findDocumentDifferences } from '../rebuilt-documents.js';
import { leaksIn, privateValues } from './private-values.js';
import { recordDecisions } from './record-decisions.js';

const PAGE = 1_000;
const FORGOTTEN_MAX = 5;
const CHECKED = PROJECTIONS.map(projection => checkedProjection(projection));
const UNSEALED = PROJECTIONS.filter(({ raw }) => !raw);
const OPTIONS = { tag: MESSAGE_TAG, decisions: DECISIONS, requests: REQUEST_RULES, sales: SALES, purchases: PURCHASES };

interface ReadLog {
  readonly events: Event[];
  readonly stored: StoredEvent[];
}

type Documents = ReadonlyMap<string, FoldedDocument>;

/** Result of an audit without findings. */
export const CLEAN = {
  signatures: 'ok',
  opened: 'ok',
  digests: 'ok',
  documents: 'equal to a rebuild',
  privacy: 'kept',
  forgetting: 'leaves nothing',
};

type AuditedService = Pick<Service, 'url' | 'stores' | 'models'>;

/** Audits a service, and at each later call only the events since then. */
export class ServiceAudit {
  /** All events until the last audit. */
  private events: readonly Event[] = [];
  /** The events until the first audit, on which those of each later part depend. */
  private first: readonly Event[] | null = null;
  private documents: readonly Documents[] = PROJECTIONS.map(() => new Map());
  private readonly shown = new LogVerifier({}, OPTIONS);
  private readonly opened = new LogVerifier({ digests: 'own' }, OPTIONS);

  constructor(private readonly service: AuditedService) {}

  /** `settle` waits for the documents. The audit is repeated if a process writes during it. */
  async run(settle: () => Promise<void>): Promise<typeof CLEAN> {
    const { log } = this.service.stores;
    for (;;) {
      await settle();
      const head = await log.head();
      const [result, accept] = await this.examine();
      if ((await log.head()) !== head) continue;
      accept();
      return result;
    }
  }

  /** Returns the result, and a function that continues after these events. */
  private async examine(): Promise<[result: typeof CLEAN, accept: () => void]> {
    const { url, stores, models } = this.service;
    const after = this.events.at(-1)?.position ?? LOG_START;
    const log = await readLog(stores, after);
    const events = [...this.events, ...log.events];
    const recording = process.env['RECORD_DECISIONS'];
    if (recording) recordDecisions(events, DECISIONS, recording);
    const [shown, opened] = [await this.auditShown(url, events.length), await this.auditOpened(url, stores)];
    const linesOf = (wanted: boolean) =>
      shown.filter(({ kind }) => /^(digest|tree|source)$/.test(kind) === wanted).map(findingLine);
    const rebuilt = await this.rebuild(log);
    const collections = PROJECTIONS.map((projection, index) =>
      findDocumentDifferences(projection, models.of(projection), rebuilt[index]!.documents),
    );
    const different = (await Promise.all(collections)).flat();
    const texts = rebuilt.flatMap(({ changed }) => changed);
    const feed = await fetch(`${url}/api/events?after=${after}`, { headers: { accept: 'application/x-ndjson' } });
    const values = privateValues(log.events, events);
    const leaks = [...texts, ['the public feed', await feed.text()] as const].flatMap(([place, text]) =>
      leaksIn(place, text, values),
    );
    const result = {
      signatures: linesOf(false).join('; ') || 'ok',
      opened: opened.map(findingLine).join('; ') || 'ok',
      digests: linesOf(true).join('; ') || 'ok',
      documents: different.length === 0 ? 'equal to a rebuild' : JSON.stringify(different),
      privacy: leaks.join('; ') || 'kept',
      forgetting: forgettingProblemsIn([...(this.first ?? []), ...log.events]).join('; ') || 'leaves nothing',
    };
    const accept = () => {
      this.events = events;
      this.first ??= events;
      this.documents = rebuilt.map(({ documents }) => documents);
      for (const { findings } of [this.shown, this.opened]) findings.list.length = 0;
    };
    return [result, accept];
  }

  private async auditShown(url: string, written: number): Promise<readonly Finding[]> {
    const checkpoint = await fetchCheckpoint(url);
    this.shown.tree.expect(checkpoint);
    await this.shown.examine(feedSource(url, undefined, headOf(this.shown)));
    const { findings, events, facts } = await this.shown.finish();
    checkCheckpointSigner(checkpoint, facts.issuerKeys(), findings);
    if (events < written) findings.add('source', `${events} of ${written} are shown`);
    return findings.list;
  }

  /** Replays private decisions with the keys of the service. */
  private async auditOpened(origin: string, { log, codec }: Service['stores']): Promise<readonly Finding[]> {
    const show = eventViewer(log, codec, 'whole');
    await this.opened.examine(logSource({ log, show, includesPrivate: true, origin, after: headOf(this.opened) }));
    return (await this.opened.finish()).findings.list;
  }

  /** An erasure changes earlier events, so that all documents are made again. */
  private async rebuild(added: ReadLog) {
    const isErased = this.first !== null && added.events.some(({ type }) => type === FORGOTTEN);
    const log = isErased ? await readLog(this.service.stores) : added;
    return CHECKED.map((projection, index) => {
      const before: Documents = isErased ? new Map() : this.documents[index]!;
      const changed = fold(projection, selectEvents(projection, log), before);
      const texts = changed.map(({ id, body }) => [`${projection.name}/${id}`, JSON.stringify(body)] as const);
      return { documents: new Map([...before, ...changed.map(each => [each.id, each] as const)]), changed: texts };
    });
  }
}

const headOf = ({ head }: Pick<LogVerification, 'head'>): Position => head ?? LOG_START;

export async function readLog({ journal }: Pick<Service['stores'], 'journal'>, first = LOG_START): Promise<ReadLog> {
  const all: ReadLog = { events: [], stored: [] };
  for (let after = first; ;) {
    const page = await journal.readAll(after, PAGE);
    all.events.push(...page.events);
    all.stored.push(...page.stored);
    if (page.next === after) return all;
    after = page.next;
  }
}

/** Reports data that would remain if muses of the story were forgotten now. */
function forgettingProblemsIn(events: readonly Event[]): string[] {
  const muses = authorsIn(events).slice(0, FORGOTTEN_MAX);
  return muses.flatMap(muse => forgettingProblems(UNSEALED, events, muse));
}
