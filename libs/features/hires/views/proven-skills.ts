import {
  Accepted,
  Delivered,
  DeliveryRead,
  DisputeWithdrawn,
  Disputed,
  HireEnded,
  Rechecked,
} from '#libs/features/hires/domain/hire.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const ProvenSkillDocument = d.object({
  muse_id: d.museId,
  skill: d.text,
  hires: d.integer,
});
export type ProvenSkillDocument = d.DocumentOf<typeof ProvenSkillDocument>;

export const provenSkillKey = (museId: string, skill: string) => `${museId}/${skill}`;
type ProofEvent = {
  readonly data: { readonly worker: string; readonly skills?: readonly string[]; readonly proves?: boolean | null };
};

const changedSkills = ({ data: { worker, skills = [], proves = null } }: ProofEvent) =>
  proves === null ? [] : skills.map(skill => provenSkillKey(worker, skill));

function countProof(document: ProvenSkillDocument | undefined, { data }: ProofEvent, id: string): ProvenSkillDocument {
  const skill = id.slice(provenSkillKey(data.worker, '').length);
  return { muse_id: data.worker, skill, hires: (document?.hires ?? 0) + (data.proves ? 1 : -1) };
}

export const ProvenSkills = defineProjection('proven_skills', ProvenSkillDocument, {
  shape: '110e28a9',
  idsBegin: 'muse_id/',
  indexes: { byMuse: ['muse_id', 'hires'], bySkill: ['skill', 'hires'] },
  steps: [Delivered, DeliveryRead, Rechecked, Accepted, Disputed, DisputeWithdrawn, HireEnded].map(type =>
    on(type, changedSkills, countProof),
  ),
});
