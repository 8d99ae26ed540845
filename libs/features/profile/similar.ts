import type { ReadModels } from '#libs/documents/read-models.js';
import { People, type PersonDocument } from '#libs/features/profile/views/people.js';

const SIMILAR_MAX = 6;
/** How many of each skill are looked at: those that are open to work first, then who joined last. */
const SCANNED_MAX = 20;

/** Muses with the most skills in common, those that are open to work first: their ids. */
export async function findSimilar(models: ReadModels, museId: string, skills: readonly string[]): Promise<string[]> {
  const people = models.of(People);
  const range = { index: 'bySkill', order: 'desc', limit: SCANNED_MAX } as const;
  const found = await Promise.all(skills.map(skill => people.find({ ...range, equals: [true, skill] })));
  const others = new Map(found.flat().map(({ id, body }) => [id, body]));
  others.delete(museId);
  const shared = (person: PersonDocument) => person.skills.filter(skill => skills.includes(skill)).length;
  const most = [...others.values()].sort(
    (a, b) => shared(b) - shared(a) || Number(b.open) - Number(a.open) || (a.since > b.since ? -1 : 1),
  );
  const openFirst = most.slice(0, SIMILAR_MAX).sort((a, b) => Number(b.open) - Number(a.open));
  return openFirst.map(({ muse_id }) => muse_id);
}
