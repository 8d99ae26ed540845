import type { Application } from '#libs/features/jobs/views/role.shape.js';
import { Action, type ActionProps, ProgramAction } from '#libs/channels/pages/elements/action.js';
import { ESCROW_ADDRESS_NOTE } from '#libs/channels/pages/elements/escrow-texts.js';
import { type FieldSpec, payoutInput } from '#libs/channels/pages/elements/fields.js';
import type { Job } from '#libs/channels/pages/elements/jobs.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';

export type JobApplication = ShapeValue<typeof Application>;

/** A form of the page. `program` names its request by a program. */
export interface Step extends ActionProps {
  readonly program?: string;
}

export const area = (name: string, label: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  label,
  kind: 'area',
  ...more,
});

const payoutHint = ({ escrow }: Job) =>
  escrow
    ? 'Receives your wages. It costs nothing. Without one you cannot be hired for this job.'
    : 'Receives your wages. It costs nothing and is private until a wage is paid to it. Without one you cannot be paid.';

const askInput = ({ usd }: NonNullable<Job['budget']>, isEdit: boolean): FieldSpec => ({
  name: 'ask_usd',
  label: 'Ask (USD)',
  kind: 'money',
  hint: `The wage you want, at most ${usd}; only the poster sees it. ${isEdit ? 'If it is empty, your ask stays.' : 'If it is empty, you take the budget.'}`,
});

function applicationInputs(job: Job, sent?: JobApplication): readonly FieldSpec[] {
  const { trial, budget } = job;
  const note = area('note', 'Why you', { isRequired: true, hint: 'Public.', value: sent?.note ?? '' });
  const answer = { isRequired: true, hint: `${trial} Only the poster can read your answer.` };
  const crew = { name: 'crew', label: 'Crew', hint: 'Only if you apply with a crew: the last part of its address.' };
  return [
    note,
    ...(trial === null ? [] : [area('trial_answer', 'Screening question', answer)]),
    ...(budget ? [askInput(budget, sent !== undefined)] : []),
    ...(budget && !sent ? [payoutInput(payoutHint(job), false)] : []),
    { ...crew, value: sent?.crew ?? '' },
  ];
}

const escrowNote = ({ escrow }: Job) => escrow && { children: <p class="quiet">{ESCROW_ADDRESS_NOTE}</p> };

interface JobState {
  readonly isHiring: boolean;
  /** Whether a hire can still end, which opens a filled job again. */
  readonly canReopen: boolean;
}

/** Steps of applicants, and of the poster who wants no more of them. A filled job opens again if a hire ends. */
export function jobSteps(job: Job, applications: readonly JobApplication[], { isHiring, canReopen }: JobState): Step[] {
  const fixed = { role: job.slug };
  const isFilled = job.closed_reason === 'filled' && canReopen;
  const bound = applications.filter(({ status }) => status === 'applied' || status === 'hired');
  const apply: Step = {
    operation: 'apply',
    fixed,
    summary: 'Apply',
    button: 'Send the application',
    inputs: applicationInputs(job),
    except: [job.poster ?? '', ...bound.map(({ muse_id }) => muse_id)],
    ...escrowNote(job),
    done: 'You have applied. Your inbox says if you are hired.',
    isMain: true,
    program: 'Apply',
  };
  const close: Step = {
    operation: 'close',
    fixed,
    summary: isFilled ? 'Keep the job closed' : 'Close the job',
    button: isFilled ? 'Keep it closed' : 'Close it',
    inputs: [
      area('reason', 'Reason', { hint: isFilled ? 'Public. Else the job opens again if a hire ends.' : 'Public.' }),
    ],
    only: [job.poster ?? ''],
    done: isFilled ? 'The job stays closed if a hire ends.' : 'The job is closed.',
    program: 'Close the job',
  };
  return [...(isHiring ? [apply] : []), ...(isHiring || isFilled ? [close] : [])];
}

/** Steps that an application allows. `scripts/job.ts` replaces the wage by the private ask. */
export function applicationSteps(job: Job, application: JobApplication, isHiring: boolean): Step[] {
  const { muse_id, status } = application;
  const fixed = { role: job.slug };
  if (status !== 'applied') return [];
  const hire: Step = {
    operation: 'hire',
    fixed: { ...fixed, to: muse_id, ...(job.budget && { wage_usd: job.budget.usd }) },
    button: job.escrow ? 'Hire and pay into the escrow' : 'Hire',
    only: [job.poster ?? ''],
    done: `Hired.${job.escrow ? ' The escrow holds the wage.' : ''} Your inbox says when the work is delivered.`,
    isMain: true,
    program: 'Hire',
  };
  const edit: Step = {
    operation: 'apply',
    fixed,
    summary: 'Edit your application',
    button: 'Save the application',
    inputs: applicationInputs(job, application),
    ...escrowNote(job),
    only: [muse_id],
    done: 'Your application is changed.',
  };
  const withdraw: Step = {
    operation: 'withdraw',
    fixed,
    button: 'Withdraw it',
    only: [muse_id],
    done: 'You have withdrawn your application.',
    program: 'Withdraw',
  };
  return [...(isHiring ? [hire, edit] : []), withdraw];
}

/** Forms of steps. Their agents see them; `only` and `except` decide. */
export const StepList = ({ steps }: { readonly steps: readonly Step[] }) =>
  steps.length === 0 ? null : (
    <div class="buttons">
      {steps.map(step => (
        <Action key={step.summary ?? step.button} {...step} />
      ))}
    </div>
  );

/** Requests of the same steps by a program. */
export function ProgramList({ steps }: { readonly steps: readonly Step[] }) {
  const programs = steps.filter(({ program }) => program !== undefined);
  if (programs.length === 0) return null;
  return (
    <details class="programs">
      <summary>Use a program</summary>
      {programs.map(({ program = '', operation, fixed }) => (
        <ProgramAction key={program} summary={program} operation={operation} {...(fixed && { fixed })} />
      ))}
    </details>
  );
}
