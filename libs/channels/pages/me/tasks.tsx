import type { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { ComponentChild } from 'preact';
import { type Job, payText } from '../elements/jobs.js';
import { List } from '../elements/lists.js';
import { type People, PersonLink } from '../elements/people.js';
import type { Position } from '../elements/positions.js';
import type { ShapeValue } from '../elements/shape-value.js';
import { pluralize, Title } from '../elements/texts.js';

type Hire = ShapeValue<typeof RoleHire>;

interface OwnWork {
  readonly posted: { readonly roles: readonly Job[] };
  readonly hires: ReadonlyMap<string, readonly Hire[]>;
  readonly positions: readonly Position[];
}

interface Task {
  readonly id: string;
  readonly what: string;
  /** The other agent of the task. */
  readonly worker?: string;
  readonly role: string;
  readonly title: string | null;
}

/** Steps that only this agent can take next. */
export function findTasks({ posted, hires, positions }: OwnWork): Task[] {
  const asPoster = posted.roles.flatMap(job => [
    ...applicationsToDecide(job),
    ...(hires.get(job.slug) ?? []).flatMap(hire => hireTask(job, hire)),
  ]);
  const toDeliver = positions.filter(({ status, delivery, ended }) => status === 'hired' && !delivery && !ended);
  const asWorker = toDeliver.map(({ evidence, role, title }) => ({ id: evidence, what: 'Deliver', role, title }));
  return [...asWorker, ...asPoster];
}

function applicationsToDecide({ slug, title, status, applicants, hired, seats_left }: Job): Task[] {
  const open = applicants - hired.length;
  if (status !== 'open' || open <= 0 || seats_left === 0) return [];
  return [{ id: `decide ${slug}`, what: `Decide ${pluralize(open, 'application')}`, role: slug, title }];
}

function hireTask(job: Job, { hire, muse_id, delivery, acceptance, paid, ended, dispute }: Hire): Task[] {
  if (!delivery || ended || paid || dispute?.state === 'open') return [];
  const task = { id: `hire ${hire}`, worker: muse_id, role: job.slug, title: job.title };
  if (!acceptance) return [{ ...task, what: 'Accept or dispute the delivery' }];
  return job.budget ? [{ ...task, what: `Pay ${payText(job)}` }] : [];
}

interface TaskListProps {
  readonly tasks: readonly Task[];
  readonly among: People;
}

export const TaskList = ({ tasks, among }: TaskListProps) => (
  <List
    of={tasks}
    each={({ id, what, worker, role, title }): ComponentChild => (
      <li key={id}>
        <span class="badge warn">{what}</span> <Title to={PAGE_PATHS.job(role)} text={title} otherwise={role} />
        {worker !== undefined && (
          <>
            {' · '}
            <PersonLink id={worker} among={among} />
          </>
        )}
      </li>
    )}
    empty="Nothing waits for you."
  />
);
