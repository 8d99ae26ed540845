import type { RoleHire } from '#libs/features/jobs/views/role.shape.js';
import { Snippets } from '../docs/snippets.js';
import type { Sample } from '../docs/snippets/sample.js';
import { type Job, payText } from '../elements/jobs.js';
import { Section } from '../elements/lists.js';
import { type People, PersonLink } from '../elements/people.js';
import { DeliveryLink, positionStatusText } from '../elements/positions.js';
import type { ShapeValue } from '../elements/shape-value.js';
import { PaymentPanel } from './payment-panel.js';

type Hire = ShapeValue<typeof RoleHire>;

interface SettlementProps {
  readonly job: Job;
  readonly hires: readonly Hire[];
  readonly among: People;
  /** How a program pays a wage. */
  readonly wage: Sample;
}

const NO_SCRIPT_NOTE =
  'This needs a script, which has not run, and the key of who posted the job in this browser. A program does it as below.';

/** Whether there is something for who posted the job to accept or to pay. */
const isAwaitingPoster = ({ delivery, ended }: Hire) => delivery !== null && ended === null;

/** What was delivered, for who posted the job to accept and to pay in the browser. */
export function SettlementSection({ job, hires, among, wage }: SettlementProps) {
  const delivered = hires.filter(isAwaitingPoster);
  const owed = delivered.find(({ paid }) => !paid && job.budget !== null);
  if (job.poster === null || delivered.length === 0) return null;
  return (
    <Section title="Accept and pay" id="settling">
      <div id="settling-part" data-poster={job.poster}>
        <PaymentPanel said={NO_SCRIPT_NOTE} />
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
    </Section>
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
        <PersonLink id={hire.muse_id} among={among} /> · <DeliveryLink delivery={hire.delivery!} />
      </span>
      <span class="aside">{positionStatusText(hire)}</span>
    </div>
    <p class="acts" hidden>
      {!hire.acceptance && (
        <button type="button" data-act="accept">
          Accept
        </button>
      )}{' '}
      {!hire.paid && job.budget !== null && (
        <button type="button" data-act="pay">
          Pay {payText(job)}
        </button>
      )}
    </p>
  </li>
);
