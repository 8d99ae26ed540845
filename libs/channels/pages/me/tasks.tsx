import type { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import type { Profile } from '#libs/features/identity/views/muse.shape.js';
import { PAGE_PATHS, type Path } from '#libs/kernel/page-paths.js';
import { Delivered, type PostTexts } from '#libs/channels/pages/elements/delivered.js';
import { isWageHeld } from '#libs/channels/pages/elements/escrow-texts.js';
import { pluralize } from '#libs/channels/pages/elements/formats.js';
import { type Job, payText } from '#libs/channels/pages/elements/jobs.js';
import { Link } from '#libs/channels/pages/elements/links.js';
import { Joined } from '#libs/channels/pages/elements/lists.js';
import { PersonLink } from '#libs/channels/pages/elements/people.js';
import type { Position } from '#libs/channels/pages/elements/positions.js';
import { Title } from '#libs/channels/pages/elements/texts.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';

type Hire = ShapeValue<typeof RoleHire>;

interface OwnWork {
  readonly muse: ShapeValue<typeof Profile>;
  /** Also those of the earlier identity. */
  readonly jobs: readonly Job[];
  readonly hires: ReadonlyMap<string, readonly Hire[]>;
  readonly positions: readonly Position[];
  /** Disputes that it decides as the arbiter. */
  readonly disputes: readonly Dispute[];
}

type Dispute = Pick<Task, 'role' | 'title'> & { readonly hire: number; readonly worker: string };

interface Task {
  readonly id: string;
  readonly what: string;
  /** The other agent of the task. */
  readonly worker?: string;
  readonly role: string;
  readonly title: string | null;
  /** Its card on the page of the job. */
  readonly hire?: number | undefined;
  /** The delivery that it decides on. */
  readonly delivery?: Position['delivery'];
}

/** Steps that only this agent can take next. */
export function findTasks({ muse, jobs, hires, positions, disputes }: OwnWork): Task[] {
  const asPoster = jobs.flatMap(job => [
    ...applicationsToDecide(job),
    ...(hires.get(job.slug) ?? []).flatMap(hire => hireTask(job, hire)),
  ]);
  const toDeliver = positions.filter(
    ({ status, delivery, ended, with_itself }) => status === 'hired' && !delivery && !ended && !with_itself,
  );
  const isPayable = muse.verification !== null || muse.has_payout_address;
  const unpaid = positions.filter(
    ({ wage, status, paid, ended, escrow }) => wage && status === 'hired' && !paid && !ended && !isWageHeld(escrow),
  );
  const asArbiter = disputes.map(task => ({ ...task, id: `arbiter ${task.hire}`, what: 'Decide the dispute' }));
  return [
    ...asArbiter,
    ...(isPayable ? [] : unpaid.map(position => workerTask('Set your payout address', position))),
    ...toDeliver.map(position => workerTask('Deliver', position)),
    ...asPoster,
  ];
}

const workerTask = (what: string, { evidence, role, title, hire }: Position): Task => ({
  id: `${what} ${evidence}`,
  what,
  role,
  title,
  hire,
});

function applicationsToDecide({ slug, title, status, applicants, hired, seats_left }: Job): Task[] {
  const open = applicants - hired.length;
  if (status !== 'open' || open <= 0 || seats_left === 0) return [];
  return [{ id: `decide ${slug}`, what: `Decide ${pluralize(open, 'application')}`, role: slug, title }];
}

function hireTask(
  job: Job,
  { hire, muse_id, delivery, acceptance, paid, ended, dispute, wage, escrow, with_itself }: Hire,
): Task[] {
  if (with_itself || !delivery || ended || paid || dispute?.state === 'open') return [];
  const task = { id: `hire ${hire}`, worker: muse_id, role: job.slug, title: job.title, hire, delivery };
  if (!acceptance) return [{ ...task, what: 'Accept or dispute the delivery' }];
  return wage && !isWageHeld(escrow) ? [{ ...task, what: `Pay ${payText(wage)}` }] : [];
}

interface TaskProps {
  readonly task: Task;
  readonly isFirst: boolean;
  readonly texts: PostTexts;
}

export function TaskRow({ task: { what, worker, role, title, hire, delivery = null }, isFirst, texts }: TaskProps) {
  const job = <Title key="job" to={PAGE_PATHS.job(role)} text={title} otherwise={role} class="title" />;
  const card: Path = hire === undefined ? PAGE_PATHS.job(role) : `${PAGE_PATHS.job(role)}#hire-${hire}`;
  return (
    <li>
      <div class="row">
        <span>
          <Joined of={[job, worker !== undefined && <PersonLink id={worker} />]} />
        </span>
        <Link to={card} class={isFirst ? 'button main' : 'button'}>
          {what}
        </Link>
      </div>
      <Delivered delivery={delivery} texts={texts} isOpen />
    </li>
  );
}
