import type { ReadModels } from '#libs/documents/read-models.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import type { ErasedPosts } from '#libs/features/hires/views/positions.js';
import { Deliveries, type DeliveryDocument } from '#libs/features/hires/views/deliveries.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { LaterStates, STATES_PER_DOCUMENT } from '#libs/features/hires/views/later-states.js';
import { loadPinnedTerms } from '#libs/features/hires/views/pinned-terms.js';
import { type RecheckDocument, Rechecks } from '#libs/features/hires/views/rechecks.js';
import { findErasedPosts } from '#libs/features/feed/views/feed-items.js';
import { loadLinksAmong } from '#libs/features/identity/views/linked-pairs.js';
import type { LinkDocument } from '#libs/features/identity/views/links.js';
import type { StateReference } from '#libs/views/state-reference.js';

/** Maximum number of versions, of rechecks and of later states in a record. The newest are kept. */
export const RECORD_LIST_MAX = 1_000;
/** A hire that changes while its lists are read is read again. */
const READS_MAX = 3;

type DocumentReader = Pick<ReadModels, 'of'>;

/** Lists are oldest first. */
export interface HireDetails {
  readonly hire: HireDocument;
  readonly deliveries: readonly DeliveryDocument[];
  readonly rechecks: readonly RecheckDocument[];
  readonly states: readonly StateReference[];
  readonly erasedPosts: ErasedPosts;
  /** Null once the poster has erased them. */
  readonly terms: ReturnType<Awaited<ReturnType<typeof loadPinnedTerms>>>;
  /** Links of a party to the other one or to a checker. */
  readonly links: readonly LinkDocument[];
}

/** Reads a hire and its lists, `max` entries each, at one moment. Undefined if there is no such hire. */
export async function loadHireDetails(
  models: DocumentReader,
  hire: number,
  max = RECORD_LIST_MAX,
): Promise<HireDetails | undefined> {
  let before = await models.of(Hires).get(String(hire));
  for (let reads = 1; before; reads += 1) {
    const lists = await loadLists(models, before.body, max);
    const now = await models.of(Hires).get(String(hire));
    if (reads === READS_MAX || now?.position === before.position) return { hire: before.body, ...lists };
    before = now;
  }
  return undefined;
}

async function loadLists(models: DocumentReader, hire: HireDocument, max: number): Promise<Omit<HireDetails, 'hire'>> {
  const newest = (limit: number, of: string | number) => ({ equals: [of], order: 'desc', limit }) as const;
  const byHire = { index: 'byHire', ...newest(max, hire.hire) };
  const parts = { index: 'byStream', ...newest(Math.ceil(max / STATES_PER_DOCUMENT), Hire.streamName(hire.hire)) };
  const [deliveries, rechecks, later] = await Promise.all([
    models.of(Deliveries).find(byHire),
    models.of(Rechecks).find(byHire),
    models.of(LaterStates).find(parts),
  ]);
  const [erasedPosts, links, termsOf] = await Promise.all([
    findErasedPosts(
      models,
      deliveries.map(({ body }) => body.post),
    ),
    loadLinksAmong(
      models,
      [hire.worker, hire.poster],
      rechecks.map(({ body }) => body.by),
    ),
    loadPinnedTerms(models, [hire]),
  ]);
  return {
    erasedPosts,
    links,
    terms: termsOf(hire),
    deliveries: deliveries.map(({ body }) => body).reverse(),
    rechecks: rechecks.map(({ body }) => body).reverse(),
    states: [...hire.states, ...later.reverse().flatMap(({ body }) => body.states)],
  };
}
