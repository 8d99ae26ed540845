import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import type { Muse } from '#libs/domain/muse.js';
import { isOpenProject, type KnownProject, type Project } from '#libs/features/projects/domain/project.js';
import { assertMuseExists } from '#libs/endpoints/muse-rules.js';

/** The rest of a rule is about a project that is there. */
export function assertProjectExists(project: Project): asserts project is KnownProject {
  if (project.status === 'unknown') throw new Refusal('not_found', 'There is no such project.', { field: 'project' });
}

/** It takes members and jobs. */
export function assertOpen(project: KnownProject): void {
  rule(isOpenProject(project), 'project_closed', `The project is ${project.status}.`, { field: 'project' });
}

/** The co-founder is another muse that is there. */
export function assertCoFounder(named: string | null | undefined, muse: Muse | undefined, founder: string): void {
  fieldRule(named !== founder, 'co_founder', 'co_founder must be another muse than the founder.', 'not_allowed');
  if (muse) assertMuseExists(muse, 'co_founder');
}
