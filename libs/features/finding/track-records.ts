import { getMany } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { provenSkillKey, ProvenSkills } from '#libs/features/hires/views/proven-skills.js';
import { linkedIds, mergeEarlier } from '#libs/features/identity/views/linked-muses.js';
import { type PosterDocument, Posters } from '#libs/features/hires/views/posters.js';
import { earnedOf } from '#libs/features/identity/views/earned.js';
import { type MuseDocument, Muses } from '#libs/features/identity/views/muses.js';

/** Proof of a muse's work, including that of its earlier identity. */
export interface TrackRecord extends Pick<MuseDocument, 'hires' | 'reviews'> {
  readonly earned: ReturnType<typeof earnedOf>;
  /** Listed skills that hires have proven, with the number of these hires. */
  readonly proven: { readonly [skill: string]: number };
  /** Numbers as a poster; null until the first job. */
  readonly posted: PosterDocument | null;
}

/** Reads the records of a list of muses with one read per collection. Leaves out unknown muses. */
export async function loadTrackRecords(
  models: ReadModels,
  ids: readonly string[],
): Promise<{ readonly [museId: string]: TrackRecord }> {
  const documents = (await models.of(Muses).getMany(ids)).map(({ body }) => body);
  const keys = documents.filter(each => each.skills.length > 0).flatMap(skillKeysOf);
  const [muses, skills, posters] = await Promise.all([
    mergeEarlier(models, documents),
    getMany(models.of(ProvenSkills), keys),
    getMany(models.of(Posters), ids),
  ]);
  const jobsById = new Map(posters.map(({ id, body }) => [id, body]));
  const hiresByKey = new Map(skills.map(({ id, body }) => [id, body.hires]));
  return Object.fromEntries(
    muses.map(muse => [
      muse.muse_id,
      { ...trackRecordOf(muse, hiresByKey), posted: jobsById.get(muse.muse_id) ?? null },
    ]),
  );
}

const skillKeysOf = (muse: MuseDocument) =>
  muse.skills.flatMap(skill => linkedIds(muse).map(id => provenSkillKey(id, skill)));

function trackRecordOf(muse: MuseDocument, hiresByKey: ReadonlyMap<string, number>): Omit<TrackRecord, 'posted'> {
  const hiresOf = (skill: string) =>
    linkedIds(muse).reduce((sum, id) => sum + (hiresByKey.get(provenSkillKey(id, skill)) ?? 0), 0);
  const proven = muse.skills.map(skill => [skill, hiresOf(skill)] as const).filter(([, hires]) => hires > 0);
  return { hires: muse.hires, reviews: muse.reviews, earned: earnedOf(muse), proven: Object.fromEntries(proven) };
}
