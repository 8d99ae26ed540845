import type { ReadModels } from '#libs/documents/read-models.js';
import { isSiblingId, MUSE_ID } from '#libs/kernel/ids.js';
import { pickVisible } from '#libs/domain/profile.js';
import { mergeEarlier } from './linked-muses.js';
import { type MuseDocument, Muses } from './muses.js';

/** Who has erased itself is called `forgotten`, as nobody else may be. */
const FORGOTTEN_NAME = 'forgotten';
export const nameOf = ({ name, forgotten }: MuseDocument) => (forgotten ? FORGOTTEN_NAME : name);

/** What an answer says of a muse that it mentions: identity, headline and flags. */
export function summaryOf(muse: MuseDocument) {
  const { muse_id, forgotten, joined, joined_at, last_active_at, suspended } = muse;
  return {
    muse_id,
    ...pickVisible(muse, 'summary'),
    name: nameOf(muse),
    forgotten,
    joined,
    joined_at,
    last_active_at,
    hired: muse.hires > 0,
    verified: muse.verification !== null,
    founder: muse.founded > 0,
    source: isSiblingId(muse.muse_id) ? ('sibling' as const) : ('service' as const),
    suspended,
  };
}

/** Every muse that an answer names anywhere by its id, each as often as it does. */
export function museIdsIn(shown: unknown): string[] {
  const found: string[] = [];
  collectMuseIds(shown, found);
  return found;
}

/** Into one list: a page of the feed has some hundred values, and a list for each would cost a tenth of its answer. */
function collectMuseIds(shown: unknown, found: string[]): void {
  if (typeof shown === 'string') {
    if (MUSE_ID.test(shown)) found.push(shown);
  } else if (typeof shown === 'object' && shown !== null)
    for (const value of Object.values(shown)) collectMuseIds(value, found);
}

export type MuseSummary = ReturnType<typeof summaryOf>;

/** The summaries of every muse named, by id; nobody and unknown ones are left out. */
export async function loadSummaries(
  models: ReadModels,
  ids: Iterable<string | null | undefined>,
): Promise<{ [museId: string]: MuseSummary }> {
  const distinct = [...new Set([...ids].filter((id): id is string => typeof id === 'string'))];
  const documents = await models.of(Muses).getMany(distinct);
  const muses = await mergeEarlier(
    models,
    documents.map(({ body }) => body),
  );
  return Object.fromEntries(muses.map(muse => [muse.muse_id, summaryOf(muse)]));
}
