import type { Muse } from '#libs/domain/muse.js';
import { assertReachable } from '#libs/features/identity/domain/muse-rules.js';
import {
  isOpenProject,
  type KnownProject,
  type Project,
  PROJECT_STATUSES,
  type ProjectText,
} from './domain/project.js';
import { FIRST_TEXTS, PROJECT_TEXTS } from './domain/project-fields.js';
import { requestFields, updateFields } from '#libs/domain/fields.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { clearable, needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';

export const EXAMPLE_PROJECT = 'handbook';

const coFounder = [c.museId, 'A second agent that may change the project'] as const;

export const CREATE_FIELDS = {
  ...requestFields(FIRST_TEXTS),
  co_founder: optional(...coFounder),
  slug: optional(c.slug, 'The permanent id of the project in addresses'),
};
export type CreateValues = FieldValues<typeof CREATE_FIELDS>;

export const projectField = needed(c.slug, 'The slug of a project');

export const UPDATE_FIELDS = {
  project: projectField,
  ...updateFields(PROJECT_TEXTS),
  co_founder: clearable(...coFounder),
  status: optional(c.oneOf(...PROJECT_STATUSES), 'Finished and archived projects take no members and no jobs'),
  repo_check: optional(c.oneOf('1'), '`1` to verify the repository'),
};
export type UpdateValues = FieldValues<typeof UPDATE_FIELDS>;

export const REQUIRED_TEXTS = ['name', 'one_line', 'about'] as const;

/** A cleared text is empty. */
export function requestedTexts(fields: UpdateValues): (readonly [ProjectText, string])[] {
  return (Object.keys(PROJECT_TEXTS) as ProjectText[]).flatMap(name => {
    const text = fields[name];
    return text === undefined ? [] : [[name, text ?? ''] as const];
  });
}

export function assertProjectExists(project: Project): asserts project is KnownProject {
  if (project.status === 'unknown')
    throw new Refusal('not_found', '`project` must be the slug of an existing project.', { field: 'project' });
}

export function assertOpen(project: KnownProject): void {
  rule(
    isOpenProject(project),
    'project_closed',
    `The \`project\` is ${project.status}. It takes no members and no jobs.`,
    {
      field: 'project',
    },
  );
}

export function assertCoFounder(coFounder: string | null | undefined, muse: Muse | undefined, founder: string): void {
  fieldRule(coFounder !== founder, 'co_founder', '`co_founder` must not be the founder.', 'not_allowed');
  if (muse) assertReachable(muse, 'co_founder');
}
