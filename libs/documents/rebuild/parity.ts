import { setImmediate as turn } from 'node:timers/promises';
import type { Position } from '#libs/kernel/event.js';
import type { Stored } from '#libs/kernel/projection.js';
import { differingFields } from './differing-fields.js';
import { FoundDifferences, type ParityDifference } from './found-differences.js';
import type { Collection } from '../port.js';

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

type Found = Stored | undefined;

/**
 * Compares two builds document by document. A first look goes over everything while the live build moves on; what has
 * changed since then is looked at again where both stand still, so that they stand still for a moment only.
 */
export class Parity {
  private readonly found = new FoundDifferences();
  private compared = 0;

  constructor(
    private readonly live: Collection,
    private readonly made: Collection,
  ) {}

  /** Compares everything except documents that changed in the live build after the position of the new one. */
  async all(position: Position): Promise<void> {
    for await (const [live, made] of pairs(everyDocument(this.live), everyDocument(this.made))) {
      this.compared += 1;
      if (live && live.position > position) continue;
      const difference = differenceOf(live, made);
      if (difference) this.found.set(difference.id, difference);
    }
  }

  /** Some documents once more. */
  async again(ids: ReadonlySet<string>): Promise<void> {
    const list = [...ids];
    for (let at = 0; at < list.length; at += PAGE_DOCUMENTS) {
      const some = list.slice(at, at + PAGE_DOCUMENTS);
      const [live, made] = await Promise.all([byId(this.live, some), byId(this.made, some)]);
      for (const id of some) this.found.set(id, differenceOf(live.get(id), made.get(id)));
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

function differenceOf(live: Found, made: Found): ParityDifference | null {
  if (!live) return made ? { id: made.id, kind: 'only_in_new', fields: [] } : null;
  if (!made) return { id: live.id, kind: 'only_in_live', fields: [] };
  const fields = differingFields(live.body, made.body);
  return fields.length > 0 ? { id: live.id, kind: 'different', fields } : null;
}

async function byId(collection: Collection, ids: readonly string[]): Promise<Map<string, Stored>> {
  return new Map((await collection.getMany(ids)).map(document => [document.id, document]));
}

async function* everyDocument(collection: Collection): AsyncGenerator<Stored, undefined> {
  for (let after: string | undefined; ;) {
    const page = await collection.scan(PAGE_DOCUMENTS, after);
    yield* page;
    if (page.length < PAGE_DOCUMENTS) return;
    after = page.at(-1)!.id;
    await turn();
  }
}

/** The documents of two lists in the order of their ids, those of one id together. */
async function* pairs(one: AsyncGenerator<Stored>, other: AsyncGenerator<Stored>): AsyncGenerator<[Found, Found]> {
  const next = async (list: AsyncGenerator<Stored>) => (await list.next()).value as Found;
  let [left, right] = [await next(one), await next(other)];
  while (left || right) {
    const order = !left ? 1 : !right ? -1 : inOrder(left.id, right.id);
    yield [order <= 0 ? left : undefined, order >= 0 ? right : undefined];
    [left, right] = [order <= 0 ? await next(one) : left, order >= 0 ? await next(other) : right];
  }
}

/** As the stores order texts: by their bytes in UTF-8. */
const inOrder = (a: string, b: string) => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));
