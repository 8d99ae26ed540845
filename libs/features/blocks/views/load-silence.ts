import type { ReadModels } from '#libs/documents/read-models.js';
import { getById } from '#libs/documents/get-many.js';
import { loadLinks } from '#libs/features/identity/views/linked-pairs.js';
import { Links } from '#libs/features/identity/views/links.js';
import type { Position } from '#libs/kernel/event.js';
import { type SilenceDocument, Silences } from './silences.js';

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
  const found = await getById(models.of(Silences), ids);
  const documents = ids.flatMap(id => found.get(id) ?? []);
  if (documents.length === 0) return NO_SILENCE;
  const links = await loadLinks(models, await senders());
  const identities = (id: string) => [
    id,
    ...links.flatMap(({ earlier, later }) => (earlier === id ? [later] : later === id ? [earlier] : [])),
  ];
  const periodsOf = (sender: string) => [...new Set(identities(sender))].flatMap(id => periodsAbout(documents, id));
  return {
    isBlocked: sender => periodsOf(sender).some(({ to }) => to === null),
    isSilenced: (sender, since) =>
      periodsOf(sender).some(({ from, to }) => from < since && (to === null || since < to)),
  };
}

/** A later choice of the newest identity, whose document is the first, also ends the block of the earlier one. */
function periodsAbout([newest, earlier]: readonly SilenceDocument[], id: string) {
  const own = newest!.periods[id] ?? [];
  const end = newest!.chosen[id] ?? null;
  const former = (earlier?.periods[id] ?? []).map(({ from, to }) => ({ from, to: to ?? end }));
  return [...own, ...former];
}
