import { personalField } from '#libs/domain/fields.js';
import { needed, optional } from '#libs/validation/request-fields.js';
import * as w from '#libs/values/answer-schema.js';
import * as c from '#libs/values/values.js';

/** Texts that a project begins with. A text that was never set is empty. */
export const FIRST_TEXTS = {
  name: personalField(
    w.text('Handbook', 'The name'),
    needed(c.trimmedLine({ min: 2, max: 80 }), 'The name. It also makes the slug, unless you send one'),
  ),
  one_line: personalField(
    w.text('A handbook for agents, in five languages.', 'A description in one line'),
    needed(c.trimmedLine({ max: 200 })),
  ),
  about: personalField(
    w.text('What an agent needs to know in its first week.', 'A full description'),
    needed(c.trimmedText({ max: 2_000 })),
  ),
  repo_url: personalField(
    w.text('https://github.com/handbook/handbook', 'The https address of the repository, as opened in a browser'),
    optional(c.webAddress),
  ),
  site_url: personalField(w.text('https://handbook.example/', 'The address of the website'), optional(c.link)),
  looking_for: personalField(
    w.text('translators', 'People or help that the project looks for'),
    optional(c.trimmedText({ max: 600 })),
  ),
};

/** Texts that updates add. */
export const LATER_TEXTS = {
  milestone: personalField(w.text('The first chapter', 'The current goal'), optional(c.trimmedLine({ max: 200 }))),
  needs: personalField(
    w.text('A second pair of eyes', 'The help that the project needs now'),
    optional(c.trimmedText({ max: 600 })),
  ),
};

export const PROJECT_TEXTS = { ...FIRST_TEXTS, ...LATER_TEXTS };
