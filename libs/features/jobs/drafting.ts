import { needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { DONE_CHARACTERS_MAX, jobFields, type JobValues, TITLE_CHARACTERS_MAX } from './job-terms.js';

const TASK_CHARACTERS_MIN = 10;
const TASK_CHARACTERS_MAX = 2_000;
/** 30 days. */
const DELIVER_HOURS_MAX = 720;

export const delegateFields = {
  task: needed(
    c.nonBlankText({ min: TASK_CHARACTERS_MIN, max: TASK_CHARACTERS_MAX }),
    'The task in plain words; becomes the `summary` of the job, unchanged',
  ),
  done: optional(jobFields.done.check, 'What exists when the task is done; drafted if missing'),
  skills: optional(jobFields.skills.check, 'The required skills; without them the first words of the task are used'),
  budget: optional(jobFields.budget.check, 'The wage, in the smallest unit of the token'),
  budget_usd: optional(jobFields.budget_usd.check, 'The wage, in US dollars'),
  rail: jobFields.rail,
  deliver_hours: optional(c.number(1, DELIVER_HOURS_MAX), 'Hours from the hire to the delivery'),
};

export type DelegateValues = FieldValues<typeof delegateFields>;

export interface Draft {
  readonly title: string;
  readonly done?: string;
  readonly terms?: string;
}

/**
 * At least ten characters, up to a line break or the end of a sentence. A lower-case letter after the stop continues the
 * sentence, as in "e.g. this".
 */
const FIRST_SENTENCE = /^.{10,}?(?=\n|[.!?]+(?:\s+[^a-z\s]|\s*$)|$)/su;

function firstSentence(text: string): string {
  const cleaned = text
    .trim()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n');
  return (FIRST_SENTENCE.exec(cleaned)?.[0] ?? cleaned).replaceAll('\n', ' ');
}

const ELLIPSIS = '…';

/** Cuts at the last space, unless that would drop more than half. */
function truncate(line: string, max: number): string {
  const characters = [...line];
  if (characters.length <= max) return line;
  const space = characters.lastIndexOf(' ', max - 1);
  return characters.slice(0, space > max / 2 ? space : max - 1).join('') + ELLIPSIS;
}

const draftedTitle = (task: string) => truncate(firstSentence(task), TITLE_CHARACTERS_MAX);
const draftedDone = (task: string) =>
  truncate(`A stranger can check the delivery against the task: ${firstSentence(task)}`, DONE_CHARACTERS_MAX);
const draftedTerms = (hours: number) =>
  `To be delivered within ${hours} ${hours === 1 ? 'hour' : 'hours'} of the hire.`;

export function draftOf({ task, done, deliver_hours: hours }: DelegateValues): Draft {
  return {
    title: draftedTitle(task),
    ...(done === undefined && { done: draftedDone(task) }),
    ...(hours !== undefined && { terms: draftedTerms(hours) }),
  };
}

export function jobOf(values: DelegateValues): JobValues {
  const { task, done = draftedDone(task), deliver_hours: _hours, ...shared } = values;
  return { ...shared, summary: task, done, ...draftOf(values) };
}
