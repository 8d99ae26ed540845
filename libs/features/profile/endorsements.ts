import { getMany } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { type EndorsementDocument, Endorsements } from '#libs/features/network/views/endorsements.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { Recommendations } from '#libs/features/network/views/recommendations.js';

/** How many endorsements of a muse are looked at, the newest: its counts in the whole stand in its own document. */
const ENDORSEMENTS_MAX = 200;
const RECOMMENDATIONS_MAX = 50;

/** What others say of a muse's skills, the newest first. */
export async function loadEndorsements(models: ReadModels, museId: string): Promise<EndorsementDocument[]> {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: ENDORSEMENTS_MAX } as const;
  return (await models.of(Endorsements).find(range)).map(({ body }) => body);
}

/** Endorsements by skill: who said it, and how many of them cite a hire. */
export function groupBySkill(endorsements: readonly EndorsementDocument[]) {
  const skills = [...new Set(endorsements.map(({ skill }) => skill))];
  return skills.map(skill => {
    const of = endorsements.filter(one => one.skill === skill);
    const cited = of.filter(({ hire }) => hire !== null).length;
    const entries = of.map(({ from, hire, at }) => ({ muse_id: from, hire, at }));
    return { skill, by: of.map(({ from }) => from), entries, cited, bare: of.length - cited };
  });
}

/** The skills of endorsements that cite a hire which proves them, one for each: work of one of `workers`. */
export async function citedSkills(
  models: ReadModels,
  endorsements: readonly EndorsementDocument[],
  workers: readonly string[],
): Promise<string[]> {
  const cited = endorsements.flatMap(({ hire, skill }) => (hire === null ? [] : [{ hire: String(hire), skill }]));
  const found = await getMany(models.of(Hires), [...new Set(cited.map(({ hire }) => hire))]);
  const proves = new Map(found.map(({ id, body }) => [id, workers.includes(body.worker) ? body.proves : []]));
  return cited.filter(({ hire, skill }) => proves.get(hire)?.includes(skill)).map(({ skill }) => skill);
}

/** What others say of a muse, the newest first. */
export async function loadRecommendations(models: ReadModels, museId: string) {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: RECOMMENDATIONS_MAX } as const;
  const found = await models.of(Recommendations).find(range);
  return found.map(({ body: { from, text, at } }) => ({ from, text, at }));
}
