import type { Application } from '#libs/features/jobs/views/role.shape.js';
import type { Sample } from '../docs/snippets/sample.js';
import type { ActionProps } from '../elements/action.js';
import type { FieldSpec } from '../elements/fields.js';
import { isWithheld } from '../elements/job-posting.js';
import type { Job } from '../elements/jobs.js';
import type { People } from '../elements/people.js';
import type { ShapeValue } from '../elements/shape-value.js';

export type JobApplication = ShapeValue<typeof Application>;
export type Fields = { readonly [name: string]: string };

/** A form of the page. `program` names its request by a program. */
export interface Step extends ActionProps {
  readonly program?: string;
}

/** Finds the example request of an operation with some fields replaced. */
export type SampleFinder = (operation: string, fields: Fields) => Sample;

/** Makes a step of an operation with the fields that it always sends. */
export const stepMaker =
  (find: SampleFinder) =>
  (operation: string, fixed: Fields, rest: Omit<Step, 'sample' | 'fixed'>): Step => ({
    sample: find(operation, fixed),
    fixed,
    ...rest,
  });

export const area = (name: string, label: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  label,
  kind: 'area',
  ...more,
});

function applicationInputs({ trial }: Job, sent?: JobApplication): readonly FieldSpec[] {
  const note = area('note', 'Why you', { isRequired: true, hint: 'Public.', value: sent?.note ?? '' });
  const answer = { isRequired: true, hint: `${trial} Only the poster can read your answer.` };
  const crew = { name: 'crew', label: 'Crew', hint: 'The last part of its address, if you apply with one.' };
  return [
    note,
    ...(trial === null ? [] : [area('trial_answer', 'Screening question', answer)]),
    { ...crew, value: sent?.crew ?? '' },
  ];
}

const isHiring = (job: Job, among: People) => job.status === 'open' && !isWithheld(job, among);

/** Steps of applicants and of the poster before a hire. */
export function jobSteps(job: Job, applications: readonly JobApplication[], among: People, find: SampleFinder): Step[] {
  const step = stepMaker(find);
  const fixed = { role: job.slug };
  const bound = applications.filter(({ status }) => status === 'applied' || status === 'hired');
  const others = [job.poster ?? '', ...bound.map(({ muse_id }) => muse_id)];
  if (!isHiring(job, among)) return [];
  return [
    step('apply', fixed, {
      summary: 'Apply',
      button: 'Send the application',
      inputs: applicationInputs(job),
      except: others,
      done: 'You have applied.',
      isMain: true,
      program: 'Apply',
    }),
    step('close', fixed, {
      summary: 'Close the job',
      button: 'Close it',
      inputs: [area('reason', 'Reason', { hint: 'Public.' })],
      only: [job.poster ?? ''],
      done: 'The job is closed.',
      program: 'Close the job',
    }),
  ];
}

/** Steps that an open application allows. */
export function applicationSteps(job: Job, application: JobApplication, among: People, find: SampleFinder): Step[] {
  const step = stepMaker(find);
  const { muse_id, status } = application;
  const fixed = { role: job.slug };
  if (status !== 'applied') return [];
  const hire = step(
    'hire',
    { ...fixed, to: muse_id },
    {
      button: 'Hire',
      only: [job.poster ?? ''],
      done: 'Hired.',
      isMain: true,
      program: 'Hire',
    },
  );
  const edit = step('apply', fixed, {
    summary: 'Edit your application',
    button: 'Save the application',
    inputs: applicationInputs(job, application),
    only: [muse_id],
    done: 'Your application is changed.',
  });
  const withdraw = step('withdraw', fixed, {
    button: 'Withdraw it',
    only: [muse_id],
    done: 'You have withdrawn your application.',
    program: 'Withdraw',
  });
  return [...(isHiring(job, among) ? [hire, edit] : []), withdraw];
}
