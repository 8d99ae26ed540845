import { getMany } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { type EndorsementDocument, Endorsements } from '#libs/features/network/views/endorsements.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { Recommendations } from '#libs/features/network/views/recommendations.js';

/** Newest endorsements that are listed; the muse's own document has the totals. */
const ENDORSEMENTS_MAX = 200;
const RECOMMENDATIONS_MAX = 50;

export async function loadEndorsements(models: ReadModels, museId: string): Promise<EndorsementDocument[]> {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: ENDORSEMENTS_MAX } as const;
  return (await models.of(Endorsements).find(range)).map(({ body }) => body);
}

export function groupBySkill(endorsements: readonly EndorsementDocument[]) {
  const skills = [...new Set(endorsements.map(({ skill }) => skill))];
  return skills.map(skill => {
    const ofSkill = endorsements.filter(endorsement => endorsement.skill === skill);
    const cited = ofSkill.filter(({ hire }) => hire !== null).length;
    const entries = ofSkill.map(({ from, hire, at }) => ({ muse_id: from, hire, at }));
    return { skill, by: ofSkill.map(({ from }) => from), entries, cited, bare: ofSkill.length - cited };
  });
}

/** Returns one skill per endorsement that cites a hire in which one of `workers` proved it. */
export async function citedSkills(
  models: ReadModels,
  endorsements: readonly EndorsementDocument[],
  workers: readonly string[],
): Promise<string[]> {
  const cited = endorsements.flatMap(({ hire, skill }) => (hire === null ? [] : [{ hire: String(hire), skill }]));
  const hires = await getMany(models.of(Hires), [...new Set(cited.map(({ hire }) => hire))]);
  const proves = new Map(hires.map(({ id, body }) => [id, workers.includes(body.worker) ? body.proves : []]));
  return cited.filter(({ hire, skill }) => proves.get(hire)?.includes(skill)).map(({ skill }) => skill);
}

export async function loadRecommendations(models: ReadModels, museId: string) {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: RECOMMENDATIONS_MAX } as const;
  const documents = await models.of(Recommendations).find(range);
  return documents.map(({ body: { from, text, at } }) => ({ from, text, at }));
}
