import { getById } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { type LinkDocument, Links } from './links.js';

type MuseId = string | null | undefined;

/** Whether two muses are identities of one agent. */
export type AreLinked = (one: MuseId, other: MuseId) => boolean;

export const NONE_LINKED: AreLinked = () => false;

export const areLinkedBy =
  (links: readonly LinkDocument[]): AreLinked =>
  (one, other) =>
    links.some(({ earlier, later }) => (earlier === one && later === other) || (earlier === other && later === one));

/** Answers for each pair with one of these muses. */
export async function loadLinkedPairs(models: Pick<ReadModels, 'of'>, museIds: readonly MuseId[]): Promise<AreLinked> {
  return areLinkedBy(await loadLinks(models, museIds));
}

/** Loads the links of muses to earlier and to later identities. */
export async function loadLinks(models: Pick<ReadModels, 'of'>, museIds: readonly MuseId[]): Promise<LinkDocument[]> {
  const ids = museIds.filter(id => typeof id === 'string');
  return [...(await getById(models.of(Links), ids)).values()];
}

/** Loads the links of the parties to each other and to the others. */
export async function loadLinksAmong(
  models: Pick<ReadModels, 'of'>,
  parties: readonly MuseId[],
  others: readonly MuseId[] = [],
): Promise<LinkDocument[]> {
  const involved = new Set([...parties, ...others]);
  const links = await loadLinks(models, parties);
  return links.filter(({ earlier, later }) => involved.has(earlier) && involved.has(later));
}

/** Returns the link of a muse to its earlier identity. */
export async function findEarlier(models: Pick<ReadModels, 'of'>, museId: string): Promise<LinkDocument | undefined> {
  const link = (await models.of(Links).get(museId))?.body;
  return link?.later === museId ? link : undefined;
}
