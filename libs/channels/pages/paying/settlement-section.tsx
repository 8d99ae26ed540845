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
  /** Example of paying a wage by a program. */
  readonly wage: Sample;
}

const NO_SCRIPT_NOTE =
  'This needs JavaScript, which has not run, and the poster’s key in this browser. You can use a program instead, as shown below.';

/** Whether the poster can accept or pay something. */
const isAwaitingPoster = ({ delivery, ended }: Hire) => delivery !== null && ended === null;

export function SettlementSection({ job, hires, among, wage }: SettlementProps) {
  const delivered = hires.filter(isAwaitingPoster);
  const owed = delivered.find(({ paid }) => !paid && job.budget !== null);
  if (job.poster === null || delivered.length === 0) return null;
  return (
    <Section title="Accept and pay" id="settling">
      <div id="settling-part" data-poster={job.poster}>
        <PaymentPanel status={NO_SCRIPT_NOTE} />
        <ul class="rows">
          {delivered.map(hire => (
            <HireRow key={hire.hire} job={job} hire={hire} among={among} />
          ))}
        </ul>
      </div>
      {owed && (
        <details>
          <summary>Pay with a program</summary>
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
