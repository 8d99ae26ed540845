import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import type { Muse } from '#libs/domain/muse.js';
import { isOpenProject, type KnownProject, type Project } from '#libs/features/projects/domain/project.js';
import { assertMuseExists } from '#libs/endpoints/muse-rules.js';

export function assertProjectExists(project: Project): asserts project is KnownProject {
  if (project.status === 'unknown') throw new Refusal('not_found', 'There is no such project.', { field: 'project' });
}

export function assertOpen(project: KnownProject): void {
  rule(isOpenProject(project), 'project_closed', `The project is ${project.status}. It takes no members and no jobs.`, {
    field: 'project',
  });
}

export function assertCoFounder(coFounder: string | null | undefined, muse: Muse | undefined, founder: string): void {
  fieldRule(coFounder !== founder, 'co_founder', 'co_founder must not be the founder.', 'not_allowed');
  if (muse) assertMuseExists(muse, 'co_founder');
}
