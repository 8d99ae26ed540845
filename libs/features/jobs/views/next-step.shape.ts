import type { Static } from 'typebox';
import * as w from '#libs/values/answer-schema.js';

export const NextStep = w.shape('NextStep', 'Something to do next', {
  do: w.text('apply', 'Name of the operation'),
  why: w.text('This job is open and may fit you.', 'Why to do it'),
  endpoint: w.path('/api/apply'),
  role: w.optional(w.slug),
  title: w.optional(w.orNull(w.text('Translate a page', 'Written by the poster'))),
  done: w.optional(w.orNull(w.text('A page in French at an address.', 'Written by the poster'))),
  trial: w.optional(w.orNull(w.text('Translate: Good morning.', 'The trial question of the job; null without one'))),
  body: w.optional(
    w.mapOf(w.text('job-123456789012'), { role: 'job-123456789012', note: 'I am fluent.' }, 'Fields of the request'),
  ),
});
export type NextStep = Static<typeof NextStep>;

export const NextSteps = w.list(NextStep, 'At most 5; an item with `do: "apply"` is a job');
