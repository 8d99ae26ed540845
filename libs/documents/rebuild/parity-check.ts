import { setImmediate as turn } from 'node:timers/promises';
import type { Position } from '#libs/kernel/event.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { findDifferingFields } from './differing-fields.js';
import { DifferenceCollector, type ParityDifference } from './difference-collector.js';
import type { Collection } from '../document-store.port.js';

const PAGE_DOCUMENTS = 500;

/** How a new build compares with the live one, at one position. */
export interface ParityReport {
  readonly compared: number;
  readonly only_in_live: number;
  readonly only_in_new: number;
  readonly different: number;
  /** A hundred of them at most: the numbers above count all. */
  readonly differences: readonly ParityDifference[];
}

type OptionalDocument = StoredDocument | undefined;

/**
 * Compares two builds document by document. A first look goes over everything while the live build moves on; what has
 * changed since then is looked at again where both stand still, so that they stand still for a moment only.
 */
export class ParityCheck {
  private readonly found = new DifferenceCollector();
  private compared = 0;

  constructor(
    private readonly live: Collection,
    private readonly made: Collection,
  ) {}

  /** Compares everything except documents that changed in the live build after the position of the new one. */
  async compareAll(position: Position): Promise<void> {
    for await (const [live, made] of pairById(everyDocument(this.live), everyDocument(this.made))) {
      this.compared += 1;
      if (live && live.position > position) continue;
      const difference = compareDocuments(live, made);
      if (difference) this.found.set(difference.id, difference);
    }
  }

  /** Some documents once more. */
  async compareAgain(ids: ReadonlySet<string>): Promise<void> {
    const list = [...ids];
    for (let at = 0; at < list.length; at += PAGE_DOCUMENTS) {
      const some = list.slice(at, at + PAGE_DOCUMENTS);
      const [live, made] = await Promise.all([loadById(this.live, some), loadById(this.made, some)]);
      for (const id of some) this.found.set(id, compareDocuments(live.get(id), made.get(id)));
    }
  }

  report(): ParityReport {
    return {
      compared: this.compared,
      only_in_live: this.found.count('only_in_live'),
      only_in_new: this.found.count('only_in_new'),
      different: this.found.count('different'),
      differences: this.found.examples,
    };
  }
}

function compareDocuments(live: OptionalDocument, made: OptionalDocument): ParityDifference | null {
  if (!live) return made ? { id: made.id, kind: 'only_in_new', fields: [] } : null;
  if (!made) return { id: live.id, kind: 'only_in_live', fields: [] };
  const fields = findDifferingFields(live.body, made.body);
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

/** The documents of two lists in the order of their ids, those of one id together. */
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

/** As the stores order texts: by their bytes in UTF-8. */
const compareIds = (a: string, b: string) => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));
