import type { ProjectionVersion } from '#libs/documents/build-name.js';
import type { CommitBatch, Collection, DocumentStore, Lease, IndexRange } from '#libs/documents/document-store.port.js';
import { POSITION_WIDTH, LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { Open } from './adapters.js';

export const NOW = 1_700_000_000_000;
export const TTL_MS = 10_000;
export const at = (position: number) => String(position).padStart(POSITION_WIDTH, '0');

export const profiles: Projection = {
  name: 'profiles',
  version: 1,
  types: [],
  indexes: {
    by_score: ['score'],
    by_city: ['city', 'open', 'score'],
    by_open: ['open', 'score'],
    by_tag: ['open', 'tags[]', 'score'],
    by_mood: ['mood?', 'score'],
    by_mood_and_tag: ['mood?', 'tags[]', 'score'],
  },
  keys: () => [],
  evolve: () => null,
};

export type Doc = [id: string, position: number, body: JsonObject | null];

export function batch(from: number, to: number, ...documents: Doc[]): CommitBatch {
  return {
    projection: { name: 'profiles', version: 1 },
    documents: documents.map(([id, position, body]) => ({ id, position: at(position), body })),
    from: from === 0 ? LOG_START : at(from),
    to: at(to),
  };
}

/** Batches that move projections without documents. */
export const move = (projections: readonly ProjectionVersion[], from: number, to: number): CommitBatch[] =>
  projections.map(({ name, version }) => ({ ...batch(from, to), projection: { name, version } }));

export function range(index: string, more: Partial<IndexRange> = {}): IndexRange {
  return { index, equals: [], order: 'asc', limit: 100, ...more };
}

export interface Ready {
  store: DocumentStore;
  collection: Collection;
  lease: Lease;
}

/** Returns a store with the collection of `profiles` and the lease to write it. */
export async function ready(open: Open<DocumentStore>): Promise<Ready> {
  const store = await open();
  const collection = await store.open(profiles);
  const lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  return { store, collection, lease };
}
