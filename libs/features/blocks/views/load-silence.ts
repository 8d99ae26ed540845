import type { ReadModels } from '#libs/documents/read-models.js';
import { getById } from '#libs/documents/get-many.js';
import { loadLinks } from '#libs/features/identity/views/linked-pairs.js';
import { Links } from '#libs/features/identity/views/links.js';
import type { Position } from '#libs/kernel/event.js';
import { type SilenceDocument, silenceKey, Silences } from './silences.js';

/** Tells reads which senders an agent does not hear. `Reach` decides the same for commands. */
export interface Silence {
  readonly isBlocked: (sender: string) => boolean;
  /** Whether something from the sender at this position never arrives. */
  readonly isSilenced: (sender: string, since: Position) => boolean;
}

const NO_SILENCE: Silence = { isBlocked: () => false, isSilenced: () => false };

export const SILENCE_PROJECTIONS = [Silences, Links] as const;

/** `senders` is called only if the agent or its linked identity has ever blocked another. */
export async function loadSilence(
  models: ReadModels,
  museId: string,
  senders: () => readonly string[] | Promise<readonly string[]>,
): Promise<Silence> {
  const link = (await models.of(Links).get(museId))?.body;
  const ids = link ? [link.later, link.earlier] : [museId];
  const silences = models.of(Silences);
  const firsts = await Promise.all(
    ids.map(id => silences.find({ index: 'byMuse', equals: [id], order: 'asc', limit: 1 })),
  );
  if (firsts.every(found => found.length === 0)) return NO_SILENCE;
  const senderIds = await senders();
  const links = await loadLinks(models, senderIds);
  const identitiesOf = (id: string) => [
    id,
    ...links.flatMap(({ earlier, later }) => (earlier === id ? [later] : later === id ? [earlier] : [])),
  ];
  const blockable = new Set(senderIds.flatMap(identitiesOf));
  const keys = [...blockable].flatMap(to => ids.map(id => silenceKey(id, to)));
  const documents = await getById(silences, keys);
  const periodsOf = (sender: string) =>
    [...new Set(identitiesOf(sender))].flatMap(to => periodsIn(ids.map(id => documents.get(silenceKey(id, to)))));
  return {
    isBlocked: sender => periodsOf(sender).some(({ to }) => to === null),
    isSilenced: (sender, since) =>
      periodsOf(sender).some(({ from, to }) => from < since && (to === null || since < to)),
  };
}

/** A later choice of the newest identity, whose document is the first, also ends the block of the earlier one. */
function periodsIn([newest, earlier]: readonly (SilenceDocument | undefined)[]) {
  const end = newest?.chosen ?? null;
  const former = (earlier?.periods ?? []).map(({ from, to }) => ({ from, to: to ?? end }));
  return [...(newest?.periods ?? []), ...former];
}
