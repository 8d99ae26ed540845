import { JobPosted } from '#libs/features/jobs/domain/job.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

const RoleSkillDocument = d.object({
  skill: d.text,
  role: d.slug,
  poster: d.orNull(d.museId),
  at: d.time,
  since: d.position,
});

export const roleSkillKey = (skill: string, role: string) => `${skill}:${role}`;

export const RoleSkills = defineProjection('role_skills', RoleSkillDocument, {
  shape: '2f5557ec',
  idsBegin: 'skill:',
  indexes: { bySkill: ['skill', 'since'], bySince: ['since'] },
  steps: [
    on(
      JobPosted,
      ({ data: { role, skills } }) => [...new Set(skills)].map(skill => roleSkillKey(skill, role)),
      (document, { data: { role, poster }, at, position }, id) => {
        const skill = id.slice(0, id.length - role.length - 1);
        return document ?? { skill, role, poster, at, since: position };
      },
    ),
  ],
});
