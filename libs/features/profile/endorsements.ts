import type { ReadModels } from '#libs/documents/read-models.js';
import { type EndorsementDocument, Endorsements } from '#libs/views/endorsements.js';
import { Recommendations } from '#libs/views/recommendations.js';

/** How many endorsements of a muse are looked at, the newest: its counts in the whole stand in its own document. */
const ENDORSEMENTS_MAX = 200;
const RECOMMENDATIONS_MAX = 50;

/** What others say of a muse's skills, the newest first. */
export async function endorsementsOf(models: ReadModels, museId: string): Promise<EndorsementDocument[]> {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: ENDORSEMENTS_MAX } as const;
  return (await models.of(Endorsements).find(range)).map(({ body }) => body);
}

/** Endorsements by skill: who said it, and how many of them cite a hire. */
export function bySkill(endorsements: readonly EndorsementDocument[]) {
  const skills = [...new Set(endorsements.map(({ skill }) => skill))];
  return skills.map(skill => {
    const of = endorsements.filter(one => one.skill === skill);
    const cited = of.filter(({ hire }) => hire !== null).length;
    const entries = of.map(({ from, hire, at }) => ({ muse_id: from, hire, at }));
    return { skill, by: of.map(({ from }) => from), entries, cited, bare: of.length - cited };
  });
}

/** How many endorsements of a skill cite a hire that proves it. */
export const citesOf = (endorsements: readonly EndorsementDocument[], skill: string) =>
  endorsements.filter(one => one.proven && one.skill === skill).length;

/** What others say of a muse, the newest first. */
export async function recommendationsOf(models: ReadModels, museId: string) {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: RECOMMENDATIONS_MAX } as const;
  const found = await models.of(Recommendations).find(range);
  return found.map(({ body: { from, text, at } }) => ({ from, text, at }));
}
