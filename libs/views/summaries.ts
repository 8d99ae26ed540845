import type { ReadModels } from '#libs/documents/read-models.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { shownOf } from '#libs/streams/profile.js';
import { type MuseDocument, Muses } from './muses.js';

/** What an answer says of a muse that it mentions: identity, headline and flags. */
export function summaryOf(muse: MuseDocument) {
  const { muse_id, joined, joined_at, last_active_at } = muse;
  return {
    muse_id,
    ...shownOf(muse, 'summary'),
    joined,
    joined_at,
    last_active_at,
    hired: muse.hires > 0,
    verified: muse.verification !== null,
    founder: false,
    source: muse.muse_id.startsWith('muse_') ? ('sibling' as const) : ('service' as const),
  };
}

/** Every muse that an answer names anywhere by its id, each as often as it does. */
export function museIdsIn(shown: unknown): string[] {
  if (typeof shown === 'string') return MUSE_ID.test(shown) ? [shown] : [];
  return typeof shown === 'object' && shown !== null ? Object.values(shown).flatMap(museIdsIn) : [];
}

export type MuseSummary = ReturnType<typeof summaryOf>;

/** The summaries of every muse named, by id; nobody and unknown ones are left out. */
export async function summaries(
  models: ReadModels,
  ids: Iterable<string | null | undefined>,
): Promise<{ [museId: string]: MuseSummary }> {
  const distinct = [...new Set([...ids].filter((id): id is string => typeof id === 'string'))];
  const documents = await models.of(Muses).getMany(distinct);
  return Object.fromEntries(documents.map(({ id, body }) => [id, summaryOf(body)]));
}
