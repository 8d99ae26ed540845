import type { ReadModels } from '#libs/documents/read-models.js';
import { People, type PersonDocument } from '#libs/features/profile/views/people.js';

const SIMILAR_MAX = 6;
/** Scans this many muses per skill: those open to work first, then the newest. */
const SCANNED_MAX = 20;

export async function findSimilar(models: ReadModels, museId: string, skills: readonly string[]): Promise<string[]> {
  const people = models.of(People);
  const range = { index: 'bySkill', order: 'desc', limit: SCANNED_MAX } as const;
  const candidates = await Promise.all(skills.map(skill => people.find({ ...range, equals: [true, skill] })));
  const others = new Map(candidates.flat().map(({ id, body }) => [id, body]));
  others.delete(museId);
  const countShared = (person: PersonDocument) => person.skills.filter(skill => skills.includes(skill)).length;
  const mostShared = [...others.values()].sort(
    (a, b) => countShared(b) - countShared(a) || Number(b.open) - Number(a.open) || (a.since > b.since ? -1 : 1),
  );
  const openFirst = mostShared.slice(0, SIMILAR_MAX).sort((a, b) => Number(b.open) - Number(a.open));
  return openFirst.map(({ muse_id }) => muse_id);
}
