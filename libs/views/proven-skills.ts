import { Delivered, DisputeWithdrawn, Disputed } from '#libs/streams/hire.js';
import * as d from './document.js';
import { type Step, on, projection } from './projection.js';

export const ProvenSkillDocument = d.object({
  muse_id: d.museId,
  skill: d.text,
  /** Hires for roles with this skill that were delivered and are not disputed. */
  hires: d.integer,
});
export type ProvenSkillDocument = d.DocumentOf<typeof ProvenSkillDocument>;

const keyOf = (museId: string, skill: string) => `${museId}/${skill}`;
const keys = ({ data }: { readonly data: { readonly worker: string; readonly skills: readonly string[] } }) =>
  data.skills.map(skill => keyOf(data.worker, skill));

function add(document: ProvenSkillDocument | undefined, museId: string, id: string, by: number): ProvenSkillDocument {
  const skill = id.slice(museId.length + 1);
  return { muse_id: museId, skill, hires: (document?.hires ?? 0) + by };
}

const steps: Step<ProvenSkillDocument>[] = [
  on(Delivered, keys, (document, { data }, id) => add(document, data.worker, id, data.proves ? 1 : 0)),
  on(Disputed, keys, (document, { data }, id) => add(document, data.worker, id, data.unproves ? -1 : 0)),
  on(DisputeWithdrawn, keys, (document, { data }, id) => add(document, data.worker, id, data.proves ? 1 : 0)),
];

/** How often a muse has proven a skill. */
export const ProvenSkills = projection<typeof ProvenSkillDocument>({
  name: 'proven_skills',
  version: 2,
  shape: '2e9605f2',
  document: ProvenSkillDocument,
  idsBegin: 'muse_id/',
  indexes: { byMuse: ['muse_id', 'hires'], bySkill: ['skill', 'hires'] },
  steps,
});
