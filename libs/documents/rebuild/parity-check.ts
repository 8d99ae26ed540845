import { setImmediate as turn } from 'node:timers/promises';
import { findDifferences } from '#libs/kernel/differences.js';
import type { Position } from '#libs/kernel/event.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection } from '#libs/documents/document-store.port.js';

const PAGE_DOCUMENTS = 500;
const EXAMPLES_MAX = 100;
const FIELDS_NAMED_MAX = 20;

type DifferenceKind = 'only_in_live' | 'only_in_new' | 'different';

interface ParityDifference {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly fields: readonly string[];
}

export interface ParityReport {
  readonly compared: number;
  readonly only_in_live: number;
  readonly only_in_new: number;
  readonly different: number;
  /** At most 100; the counts include all. */
  readonly differences: readonly ParityDifference[];
}

type OptionalDocument = StoredDocument | undefined;

/**
 * Compares two builds. A first pass runs while the live build changes; documents changed since are compared again while
 * both are paused, which keeps the pause short.
 */
export class ParityCheck {
  private readonly differences = new DifferenceCollector();
  private compared = 0;

  constructor(
    private readonly live: Collection,
    private readonly rebuilt: Collection,
  ) {}

  async compareAll(position: Position): Promise<void> {
    for await (const [live, rebuilt] of pairById(everyDocument(this.live), everyDocument(this.rebuilt))) {
      this.compared += 1;
      if (live && live.position > position) continue;
      const difference = compareDocuments(live, rebuilt);
      if (difference) this.differences.set(difference.id, difference);
    }
  }

  async compareAgain(ids: ReadonlySet<string>): Promise<void> {
    const list = [...ids];
    for (let at = 0; at < list.length; at += PAGE_DOCUMENTS) {
      const batch = list.slice(at, at + PAGE_DOCUMENTS);
      const [live, rebuilt] = await Promise.all([loadById(this.live, batch), loadById(this.rebuilt, batch)]);
      for (const id of batch) this.differences.set(id, compareDocuments(live.get(id), rebuilt.get(id)));
    }
  }

  report(): ParityReport {
    return {
      compared: this.compared,
      only_in_live: this.differences.count('only_in_live'),
      only_in_new: this.differences.count('only_in_new'),
      different: this.differences.count('different'),
      differences: this.differences.examples,
    };
  }
}

/** Keeps the kind of every difference, since all documents may differ, and details of the first ones. */
class DifferenceCollector {
  private readonly kinds = new Map<string, DifferenceKind>();
  private readonly detailed = new Map<string, ParityDifference>();

  set(id: string, difference: ParityDifference | null): void {
    this.detailed.delete(id);
    if (difference === null) this.kinds.delete(id);
    else this.kinds.set(id, difference.kind);
    if (difference && this.detailed.size < EXAMPLES_MAX) this.detailed.set(id, difference);
  }

  count(kind: DifferenceKind): number {
    let count = 0;
    for (const each of this.kinds.values()) if (each === kind) count += 1;
    return count;
  }

  get examples(): ParityDifference[] {
    return [...this.detailed.values()];
  }
}

function compareDocuments(live: OptionalDocument, rebuilt: OptionalDocument): ParityDifference | null {
  if (!live) return rebuilt ? { id: rebuilt.id, kind: 'only_in_new', fields: [] } : null;
  if (!rebuilt) return { id: live.id, kind: 'only_in_live', fields: [] };
  // A missing value differs from null.
  const differences = findDifferences(live.body, rebuilt.body, (a, b) => a === b);
  const fields = differences.slice(0, FIELDS_NAMED_MAX).map(({ field }) => field);
  return fields.length > 0 ? { id: live.id, kind: 'different', fields } : null;
}

async function loadById(collection: Collection, ids: readonly string[]): Promise<Map<string, StoredDocument>> {
  return new Map((await collection.getMany(ids)).map(document => [document.id, document]));
}

async function* everyDocument(collection: Collection): AsyncGenerator<StoredDocument, undefined> {
  for (let after: string | undefined; ;) {
    const page = await collection.scan(PAGE_DOCUMENTS, after);
    yield* page;
    if (page.length < PAGE_DOCUMENTS) return;
    after = page.at(-1)!.id;
    await turn();
  }
}

async function* pairById(
  one: AsyncGenerator<StoredDocument>,
  other: AsyncGenerator<StoredDocument>,
): AsyncGenerator<[OptionalDocument, OptionalDocument]> {
  const next = async (list: AsyncGenerator<StoredDocument>) => (await list.next()).value as OptionalDocument;
  let [left, right] = [await next(one), await next(other)];
  while (left || right) {
    const order = !left ? 1 : !right ? -1 : compareIds(left.id, right.id);
    yield [order <= 0 ? left : undefined, order >= 0 ? right : undefined];
    [left, right] = [order <= 0 ? await next(one) : left, order >= 0 ? await next(other) : right];
  }
}

/** Bytewise in UTF-8, as the stores order texts. */
const compareIds = (a: string, b: string) => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));
