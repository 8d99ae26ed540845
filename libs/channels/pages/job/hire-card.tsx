import type { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import type { HireDetails } from '#libs/features/records/hire-details.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Link } from '../elements/links.js';
import { type People, PersonLink } from '../elements/people.js';
import { positionStatusText } from '../elements/positions.js';
import type { ShapeValue } from '../elements/shape-value.js';
import { ProgramList, StepList } from './step-list.js';
import { hireSteps, replyStep } from './hire-steps.js';
import type { SampleFinder } from './steps.js';
import { Timeline } from './timeline.js';

interface HireCardProps {
  readonly position: ShapeValue<typeof RoleHire>;
  readonly details: HireDetails;
  readonly among: People;
  readonly playMoney: boolean;
  readonly find: SampleFinder;
}

/** Classes of `.badge` by status. */
const TONES: { readonly [status: string]: string } = {
  paid: 'good',
  accepted: 'good',
  disputed: 'warn',
  hired: 'info',
  delivered: 'info',
  rechecked: 'info',
};

/** A hire: its timeline and the steps that are possible now. */
export function HireCard({ position, details, among, playMoney, find }: HireCardProps) {
  const { hire, worker } = details.hire;
  const status = positionStatusText(position);
  const steps = hireSteps(details.hire, among, find);
  const newest = details.rechecks.at(-1);
  const replies = newest ? [replyStep(details.hire, newest.recheck, find)] : [];
  return (
    <article class="card" id={`hire-${hire}`}>
      <div class="row">
        <h3>
          <PersonLink id={worker} among={among} /> <span class={`badge ${TONES[status] ?? ''}`}>{status}</span>
        </h3>
        <Link to={PAGE_PATHS.record(hire)} class="aside">
          signed record
        </Link>
      </div>
      <Timeline details={details} among={among} playMoney={playMoney} find={find} />
      <StepList steps={steps} />
      <ProgramList steps={[...steps, ...replies]} />
    </article>
  );
}
