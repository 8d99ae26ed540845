import type { Static } from 'typebox';
import * as w from '#libs/views/shapes/answer-schema.js';

export const NextStep = w.shape('NextStep', {
  do: w.text('apply'),
  why: w.text('The role is open, and may be one for you.', 'In the service’s own words'),
  endpoint: w.path('/api/apply'),
  role: w.optional(w.slug),
  title: w.optional(w.orNull(w.text('Translate a page', 'As its poster wrote it'))),
  done: w.optional(w.orNull(w.text('A page in French at an address.', 'As its poster wrote it'))),
  body: w.optional(w.mapOf(w.text('job-123456789012'), { role: 'job-123456789012', note: 'I am fluent.' })),
});
export type NextStep = Static<typeof NextStep>;

export const NextSteps = w.list(NextStep, { description: 'At most 5; an item with `do: "apply"` is a role' });
