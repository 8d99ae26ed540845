import type { ReadModels } from '#libs/documents/read-models.js';
import { SYSTEM_ACCOUNT_ID, resolvePosterId } from '#libs/kernel/system-account.js';
import { rule } from '#libs/kernel/refusal.js';
import { foldSkill } from '#libs/kernel/skills.js';
import { Projects } from '#libs/features/projects/views/projects.js';
import { isOpenRole, type RoleDocument } from '#libs/features/jobs/views/roles.js';

export interface RoleFilters {
  readonly skill?: string;
  readonly all?: boolean;
  readonly poster?: string;
  readonly project?: string;
}

interface RoleIndex {
  readonly index: string;
  readonly equals: readonly (string | boolean)[];
  readonly fields: readonly (keyof RoleDocument & string)[];
}

export async function assertProjectListed(models: ReadModels, project: string | undefined): Promise<void> {
  if (!project) return;
  const document = await models.of(Projects).get(project);
  rule(document !== undefined, 'not_found', '`project` must name an existing project.', { field: 'project' });
}

export function selectIndex({ poster, project, all }: RoleFilters): RoleIndex {
  if (poster === SYSTEM_ACCOUNT_ID) return { index: 'all', equals: [true], fields: ['opened'] };
  if (poster) return { index: 'byPoster', equals: [poster], fields: ['opened'] };
  if (project) return { index: 'byProject', equals: [project], fields: ['opened'] };
  if (all) return { index: 'all', equals: [], fields: ['house', 'opened'] };
  return { index: 'open', equals: [false], fields: ['house', 'opened'] };
}

export function filterBy({ skill, poster, project, all }: RoleFilters, now: number): (role: RoleDocument) => boolean {
  const wantedSkill = skill && foldSkill(skill);
  return role =>
    (all || isOpenRole(role, now)) &&
    (!wantedSkill || role.skills.includes(wantedSkill)) &&
    (!poster || resolvePosterId(role.poster) === poster) &&
    (!project || role.project === project);
}
