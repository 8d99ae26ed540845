import { expect, test } from '@jest/globals';
import { ParityCheck } from '#libs/documents/rebuild/parity-check.js';
import type { Collection } from '#libs/documents/document-store.port.js';
import { POSITION_WIDTH } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { collectedMemory } from '../../heap.js';

const DOCUMENTS = 30_000;
/** An id and its kind; with field names it would be a kilobyte. */
const BYTES_EACH_MAX = 200;
const NAMED = 100;
const FIELDS = Array.from({ length: 20 }, (_, n) => `field_${n}`);

const position = (n: number) => String(n).padStart(POSITION_WIDTH, '0');
const idOf = (n: number) => `document-${String(n).padStart(9, '0')}`;
const ids = (from: number, to: number) => new Set(Array.from({ length: to - from }, (_, n) => idOf(from + n)));

/** Documents generated on each read, so that only the comparison uses memory. */
class Made implements Pick<Collection, 'getMany' | 'scan'> {
  readonly removed = new Set<string>();
  private readonly others = new Map<string, JsonObject>();
  private readonly changedAt = new Map<string, number>();

  constructor(
    private readonly count: number,
    private readonly says: string,
  ) {}

  get collection(): Collection {
    return this as Partial<Collection> as Collection;
  }

  change(some: ReadonlySet<string>, says: string, at: number): void {
    for (const id of some) {
      this.others.set(id, bodyOf(says));
      this.changedAt.set(id, at);
    }
  }

  getMany(some: readonly string[]): Promise<StoredDocument[]> {
    return Promise.resolve(some.filter(id => !this.removed.has(id)).map(id => this.document(id)));
  }

  scan(limit: number, after = ''): Promise<StoredDocument[]> {
    const page: StoredDocument[] = [];
    for (let n = after === '' ? 0 : Number(after.slice(-9)) + 1; n < this.count && page.length < limit; n += 1)
      if (!this.removed.has(idOf(n))) page.push(this.document(idOf(n)));
    return Promise.resolve(page);
  }

  private document(id: string): StoredDocument {
    return { id, position: position(this.changedAt.get(id) ?? 1), body: this.others.get(id) ?? bodyOf(this.says) };
  }
}

const bodyOf = (says: string): JsonObject => ({ held: Object.fromEntries(FIELDS.map(name => [name, says])) });

test('counts all differences, names the first ones and keeps only ids of the others', async () => {
  const [live, made] = [new Made(DOCUMENTS, 'old'), new Made(DOCUMENTS, 'new')];
  const parity = new ParityCheck(live.collection, made.collection);
  const before = collectedMemory();
  await parity.compareAll(position(1));
  const after = collectedMemory();
  const { differences, ...counts } = parity.report();
  expect(counts).toEqual({ compared: DOCUMENTS, only_in_live: 0, only_in_new: 0, different: DOCUMENTS });
  expect(differences.map(({ id }) => id)).toEqual([...ids(0, NAMED)]);
  expect(differences[0]).toEqual({ id: idOf(0), kind: 'different', fields: FIELDS.map(name => `held.${name}`) });
  const grown = after.heapUsed - before.heapUsed + (after.arrayBuffers - before.arrayBuffers);
  expect(grown / DOCUMENTS).toBeLessThan(BYTES_EACH_MAX);
});

test('a repeated comparison replaces the earlier result of each document', async () => {
  const [live, made] = [new Made(1_000, 'old'), new Made(1_000, 'new')];
  // The live build has moved on with these: the second look compares them.
  live.change(ids(900, 910), 'newer', 2);
  const parity = new ParityCheck(live.collection, made.collection);
  await parity.compareAll(position(1));
  expect(parity.report()).toMatchObject({ compared: 1_000, different: 990 });
  made.change(ids(900, 905), 'newer', 2);
  for (const build of [live, made]) build.change(ids(50, 500), 'the same', 3);
  for (const id of ids(500, 600)) made.removed.add(id);
  for (const id of ids(600, 700)) live.removed.add(id);
  for (let look = 0; look < 2; look += 1) {
    await parity.compareAgain(new Set([...ids(50, 700), ...ids(900, 910)]));
    expect(parity.report()).toMatchObject({ only_in_live: 100, only_in_new: 100, different: 345 });
  }
  for (const build of [live, made]) build.change(ids(0, 1_000), 'the same', 4);
  await parity.compareAgain(ids(700, 1_000));
  expect(parity.report()).toMatchObject({ compared: 1_000, only_in_live: 100, only_in_new: 100, different: 50 });
  expect(parity.report().differences).toHaveLength(NAMED);
});
