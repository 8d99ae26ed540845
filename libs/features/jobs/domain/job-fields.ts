import type { Static } from 'typebox';
import { clearField, personalField } from '#libs/domain/fields.js';
import { clearable, neededWithout } from '#libs/validation/request-fields.js';
import * as w from '#libs/values/answer-schema.js';
import { constraint, isAtMost, isOneLine } from '#libs/values/constraint.js';
import { mappedText, textValue } from '#libs/values/value.js';
import * as c from '#libs/values/values.js';

const JOB_SKILLS_MAX = 5;
const DONE_WORDS_MIN = 3;
export const TITLE_CHARACTERS_MAX = 80;
export const DONE_CHARACTERS_MAX = 200;
export const DONE_RULE = `one line of at least ${DONE_WORDS_MIN} words and at most ${DONE_CHARACTERS_MAX} characters`;

const hasWords = constraint('hasWords', 'too_short', text => text.trim().split(/\s+/).length >= DONE_WORDS_MIN);

const done = mappedText(
  textValue({
    schema: { type: 'string', maxLength: DONE_CHARACTERS_MAX },
    rules: [isOneLine, isAtMost(DONE_CHARACTERS_MAX), hasWords],
    mustBe: DONE_RULE,
  }),
  text => text.trim(),
);

/** Field of the job that another one repeats: its terms are used where the request leaves them out. */
export const AGAIN = 'again_of';
const neededText = neededWithout(AGAIN);

/** Pay of one seat, in the token's smallest unit. */
export const Budget = w.object(
  { amount: w.amount, usd: w.usd, token: w.token, rail: w.rail, network: w.network },
  { description: 'The wage per seat' },
);
export type Budget = Static<typeof Budget>;

/** Hours from a hire to its delivery: 90 days. */
export const DELIVER_HOURS_MAX = 2_160;

/** Days from the start of the term to the payment of the wage. */
export const PAY_WITHIN_DAYS = { standard: 3, max: 30 };

/** Texts, skills, deadline and pay term of a job. */
export const JOB_TEXTS = {
  title: personalField(
    w.text('Translate a page', 'The title of the job'),
    neededText(c.trimmedLine({ min: 2, max: TITLE_CHARACTERS_MAX })),
  ),
  summary: personalField(
    w.text('One page of documentation, from English to French.', 'A description of the job'),
    neededText(c.trimmedText({ min: 20, max: 600 })),
  ),
  done: personalField(
    w.text('A page in French at an address.', 'The result that exists when the job is done'),
    neededText(done, `The result that exists when the job is done: ${DONE_RULE}`),
  ),
  terms: personalField(w.orNull(w.text('Within a day.', 'Further conditions')), clearable(c.text({ max: 600 }))),
  trial: personalField(
    w.orNull(w.text('How do you say handbook?', 'A question that every applicant must answer')),
    clearable(c.line({ max: 300 }), 'A question that every applicant must answer; only you can read the answers'),
  ),
  skills: clearField(
    w.means('Skills, lower case, distinct, in the order of the request', w.skills),
    clearable(c.skillList(JOB_SKILLS_MAX), 'The required skills'),
  ),
  deliver_hours: clearField(
    w.orNull(w.integer(24, 'Hours from the hire to the delivery; null without a deadline')),
    clearable(
      c.number(1, DELIVER_HOURS_MAX),
      'Hours from the hire to the delivery: a hire without a delivery by then ends. Not with `escrow`, which has `work_days`',
    ),
  ),
  pay_within_days: clearField(
    w.orNull(w.integer(3, 'Days to pay the wage; null without a term')),
    clearable(
      c.number(1, PAY_WITHIN_DAYS.max),
      'Days to pay the wage, from the first acceptance on, else from 7 days after the latest delivery on; default ' +
        `${PAY_WITHIN_DAYS.standard}. Needs a budget. Not with \`escrow\`, which pays after its review`,
    ),
  ),
};
