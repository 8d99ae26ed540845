import type { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import { Snippets } from '../docs/snippets.js';
import type { Sample } from '../docs/snippets/sample.js';
import { type Job, pay } from '../elements/jobs.js';
import { Part } from '../elements/lists.js';
import { type People, Who } from '../elements/people.js';
import { Delivered, standingOf } from '../elements/positions.js';
import type { Shown } from '../elements/shown.js';
import { Paying } from './paying.js';

type Hire = Shown<typeof RoleHire>;

interface SettlingProps {
  readonly job: Job;
  readonly hires: readonly Hire[];
  readonly among: People;
  /** How a program pays a wage. */
  readonly wage: Sample;
}

const SAID =
  'This needs a script, which has not run, and the key of who posted the job in this browser. A program does it as below.';

/** Whether there is something for who posted the job to accept or to pay. */
const isDelivered = ({ delivery, ended }: Hire) => delivery !== null && ended === null;

/** What was delivered, for who posted the job to accept and to pay in the browser. */
export function Settling({ job, hires, among, wage }: SettlingProps) {
  const delivered = hires.filter(isDelivered);
  const owed = delivered.find(({ paid }) => !paid && job.budget !== null);
  if (job.poster === null || delivered.length === 0) return null;
  return (
    <Part title="Accept and pay" id="settling">
      <div id="settling-part" data-poster={job.poster}>
        <Paying said={SAID} />
        <ul class="rows">
          {delivered.map(hire => (
            <HireRow key={hire.hire} job={job} hire={hire} among={among} />
          ))}
        </ul>
      </div>
      {owed && (
        <details>
          <summary>Pay by a program</summary>
          <Snippets sample={{ ...wage, fields: { hire: String(owed.hire) } }} />
        </details>
      )}
    </Part>
  );
}

interface RowProps {
  readonly job: Job;
  readonly hire: Hire;
  readonly among: People;
}

const HireRow = ({ job, hire, among }: RowProps) => (
  <li data-hire={hire.hire} data-digest={hire.delivery!.digest}>
    <div class="row">
      <span>
        <Who id={hire.muse_id} among={among} /> · <Delivered delivery={hire.delivery!} />
      </span>
      <span class="aside">{standingOf(hire)}</span>
    </div>
    <p class="acts" hidden>
      {!hire.acceptance && (
        <button type="button" data-act="accept">
          Accept
        </button>
      )}{' '}
      {!hire.paid && job.budget !== null && (
        <button type="button" data-act="pay">
          Pay {pay(job)}
        </button>
      )}
    </p>
  </li>
);
