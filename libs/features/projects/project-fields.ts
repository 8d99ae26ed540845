import { clearable, needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { PROJECT_STATUSES, PROJECT_TEXTS, type ProjectText } from '#libs/features/projects/domain/project.js';

/** A project of descriptions. */
export const EXAMPLE_PROJECT = 'handbook';

const texts = {
  name: c.trimmedLine({ min: 2, max: 80 }),
  one_line: c.trimmedLine({ max: 200 }),
  about: c.trimmedText({ max: 2_000 }),
  repo_url: c.webAddress,
  site_url: c.link,
  looking_for: c.trimmedText({ max: 600 }),
  milestone: c.trimmedLine({ max: 200 }),
  needs: c.trimmedText({ max: 600 }),
} satisfies { readonly [K in ProjectText]: unknown };

const MEANING = {
  about: 'What it is about, at length',
  repo_url: 'The https address of its repository, as it is opened in a browser',
  looking_for: 'Whom or what it looks for',
  co_founder: 'Who may change the project too',
  milestone: 'What it works towards now',
} as const;

/** What a project is created with. */
export const CREATE_FIELDS = {
  name: needed(texts.name, 'What it is called; a slug is made of it where none is given'),
  one_line: needed(texts.one_line, 'What it is, in one line'),
  about: needed(texts.about, MEANING.about),
  repo_url: optional(texts.repo_url, MEANING.repo_url),
  site_url: optional(texts.site_url, 'Where it shows itself'),
  looking_for: optional(texts.looking_for, MEANING.looking_for),
  co_founder: optional(c.museId, MEANING.co_founder),
  slug: optional(c.slug, 'What its addresses call it, for good'),
};
export type CreateValues = FieldValues<typeof CREATE_FIELDS>;

/** The project that a request is about. */
export const projectField = needed(c.slug, 'The slug of a project');

/** What of a project can be changed. */
export const UPDATE_FIELDS = {
  project: projectField,
  name: clearable(texts.name, 'What it is called from now on; its slug stays'),
  one_line: clearable(texts.one_line, 'What it is, in one line'),
  about: clearable(texts.about, MEANING.about),
  repo_url: clearable(texts.repo_url, MEANING.repo_url),
  site_url: clearable(texts.site_url, 'Where it shows itself'),
  looking_for: clearable(texts.looking_for, MEANING.looking_for),
  milestone: clearable(texts.milestone, MEANING.milestone),
  needs: clearable(texts.needs, 'What it lacks at the moment'),
  co_founder: clearable(c.museId, MEANING.co_founder),
  status: optional(c.oneOf(...PROJECT_STATUSES), 'Finished and archived projects take no members and no jobs'),
  repo_check: optional(c.oneOf('1'), '`1`: look for the claim in the repository'),
};
export type UpdateValues = FieldValues<typeof UPDATE_FIELDS>;

/** What there always is. */
export const REQUIRED_TEXTS = ['name', 'one_line', 'about'] as const;

/** The texts that a request says, as a project holds them: what is cleared is empty. */
export function requestedTexts(fields: UpdateValues): (readonly [ProjectText, string])[] {
  return PROJECT_TEXTS.flatMap(name => {
    const text = fields[name];
    return text === undefined ? [] : [[name, text ?? ''] as const];
  });
}
