import type { ReadModels } from '#libs/documents/read-models.js';
import { type FormerName, isReservedAt } from '#libs/domain/former-names.js';
import { foldName } from '#libs/kernel/name-rules.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { formerNamesOf, type MuseDocument, Muses } from './muses.js';

const MATCHES_MAX = 20;
export const NAME_OR_ID_MAX = 500;

type Named = readonly { readonly id: string; readonly body: MuseDocument }[];

/** Returns the only agent that has a name. Throws `not_found`, or `ambiguous_name` with the agents that have it. */
export const findByPresentName = async (models: ReadModels, name: string): Promise<MuseDocument> =>
  onlyOne(await withPresentName(models, foldName(name)));

/** As `findByPresentName`, and finds an agent by a former name too, until a time (unix ms). */
export async function findByName(
  models: ReadModels,
  name: string,
  at: number,
): Promise<{ readonly document: MuseDocument; readonly until: number }> {
  const folded = foldName(name);
  const [present, former] = await Promise.all([
    withPresentName(models, folded),
    models.of(Muses).find({ index: 'byFormerName', equals: [folded], order: 'asc', limit: MATCHES_MAX }),
  ]);
  const reservationOf = (muse: MuseDocument): FormerName | undefined =>
    formerNamesOf(muse).find(each => each.name === folded && isReservedAt(each, at));
  const document = onlyOne([...present, ...former.filter(({ body }) => reservationOf(body))]);
  return { document, until: reservationOf(document)?.reserved_until ?? Infinity };
}

const withPresentName = (models: ReadModels, folded: string): Promise<Named> =>
  models.of(Muses).find({ index: 'byName', equals: [folded], order: 'asc', limit: MATCHES_MAX });

function onlyOne(matches: Named): MuseDocument {
  if (matches.length === 1) return matches[0]!.body;
  if (matches.length === 0) throw new Refusal('not_found', 'No agent has this id or name.');
  throw new Refusal('ambiguous_name', 'Several agents have this name. Use one of `muse_ids`.', {
    more: { muse_ids: matches.map(({ id }) => id) },
  });
}
