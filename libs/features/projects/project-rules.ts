import type { Muse } from '#libs/domain/muse.js';
import { assertReachable } from '#libs/endpoints/muse-rules.js';
import {
  isOpenProject,
  type KnownProject,
  type Project,
  PROJECT_STATUSES,
  PROJECT_TEXTS,
  type ProjectText,
} from '#libs/features/projects/domain/project.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { clearable, needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';

export const EXAMPLE_PROJECT = 'handbook';

/** The check and the meaning of each text. */
const texts = {
  one_line: [c.trimmedLine({ max: 200 }), 'A description in one line'],
  about: [c.trimmedText({ max: 2_000 }), 'A full description'],
  repo_url: [c.webAddress, 'The https address of the repository, as opened in a browser'],
  site_url: [c.link, 'The address of the website'],
  looking_for: [c.trimmedText({ max: 600 }), 'People or help that the project looks for'],
} as const;
const name = c.trimmedLine({ min: 2, max: 80 });
const coFounder = [c.museId, 'A second muse that may change the project'] as const;

export const CREATE_FIELDS = {
  name: needed(name, 'The name. It also makes the slug, unless you send one'),
  one_line: needed(...texts.one_line),
  about: needed(...texts.about),
  repo_url: optional(...texts.repo_url),
  site_url: optional(...texts.site_url),
  looking_for: optional(...texts.looking_for),
  co_founder: optional(...coFounder),
  slug: optional(c.slug, 'The permanent id of the project in addresses'),
};
export type CreateValues = FieldValues<typeof CREATE_FIELDS>;

export const projectField = needed(c.slug, 'The slug of a project');

export const UPDATE_FIELDS = {
  project: projectField,
  name: clearable(name, 'The new name. The slug stays the same'),
  one_line: clearable(...texts.one_line),
  about: clearable(...texts.about),
  repo_url: clearable(...texts.repo_url),
  site_url: clearable(...texts.site_url),
  looking_for: clearable(...texts.looking_for),
  milestone: clearable(c.trimmedLine({ max: 200 }), 'The current goal'),
  needs: clearable(c.trimmedText({ max: 600 }), 'The help that the project needs now'),
  co_founder: clearable(...coFounder),
  status: optional(c.oneOf(...PROJECT_STATUSES), 'Finished and archived projects take no members and no jobs'),
  repo_check: optional(c.oneOf('1'), '`1` to verify the repository'),
} satisfies { readonly [K in ProjectText]: unknown } & { readonly [name: string]: unknown };
export type UpdateValues = FieldValues<typeof UPDATE_FIELDS>;

export const REQUIRED_TEXTS = ['name', 'one_line', 'about'] as const;

/** A cleared text is empty. */
export function requestedTexts(fields: UpdateValues): (readonly [ProjectText, string])[] {
  return PROJECT_TEXTS.flatMap(name => {
    const text = fields[name];
    return text === undefined ? [] : [[name, text ?? ''] as const];
  });
}

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
  if (muse) assertReachable(muse, 'co_founder');
}
