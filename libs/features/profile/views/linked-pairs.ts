import { getById } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { type LinkDocument, Links } from './links.js';
import { Muses } from './muses.js';

/** Whether two muses are identities of one agent. */
export type AreLinked = (one: string | null | undefined, other: string | null | undefined) => boolean;

export const NONE_LINKED: AreLinked = () => false;

/** Answers for each pair with one of these muses. */
export async function loadLinkedPairs(
  models: Pick<ReadModels, 'of'>,
  museIds: readonly (string | null | undefined)[],
): Promise<AreLinked> {
  const ids = [...new Set(museIds.filter(id => typeof id === 'string'))];
  const muses = await getById(models.of(Muses), ids);
  const linkOf = (id: string) => muses.get(id)?.linked_to ?? muses.get(id)?.earlier;
  return (one, other) =>
    typeof one === 'string' && typeof other === 'string' && (linkOf(one) === other || linkOf(other) === one);
}

/** Returns the link of a muse to its earlier identity. */
export async function findEarlier(models: Pick<ReadModels, 'of'>, museId: string): Promise<LinkDocument | undefined> {
  const link = (await models.of(Links).get(museId))?.body;
  return link?.later === museId ? link : undefined;
}
