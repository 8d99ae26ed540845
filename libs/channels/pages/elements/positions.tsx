import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/jobs/views/position.shape.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';
import { isWageHeld } from './escrow-texts.js';
import { erasedDelivery, pluralize } from './formats.js';
import { Link, ExternalLink } from './links.js';
import { Joined, Row } from './lists.js';
import { PersonLink } from './people.js';
import { MemberText, Title, Timestamp } from './texts.js';

export type Position = ShapeValue<typeof shapes.Position>;
type Delivery = NonNullable<Position['delivery']>;

interface PositionProps {
  readonly position: Position;
  /** Worker of the position, in lists with several workers. */
  readonly worker?: string;
  /** Amount and token of the paid wage, in lists that know it. */
  readonly wage?: string | undefined;
}

export const UNPAID = 'accepted, not paid yet';
export const UNDECIDED = 'delivered, not accepted yet';

export function positionStatusText(position: Position): string {
  const { status, role_closed_at, ended, paid, acceptance, dispute, settlement, wage, escrow } = position;
  if (status === 'applied') return role_closed_at == null ? 'applied' : 'applied, job closed';
  if (ended) return 'ended';
  if (dispute?.state === 'open') return 'disputed';
  if (paid) return 'paid';
  if (acceptance) return wage && !isWageHeld(escrow) ? UNPAID : 'accepted';
  return settlement ? UNDECIDED : 'hired';
}

export function DeliveryLink({ delivery: { post, url } }: { readonly delivery: Pick<Delivery, 'post' | 'url'> }) {
  if (url === null) return <span class="gone">{erasedDelivery(post)}</span>;
  return post === null ? <ExternalLink href={url} /> : <Link to={PAGE_PATHS.post(post)}>a post</Link>;
}

const checksText = ({ check_counts, check_state }: Position) => {
  if (check_state === 'unreadable') return 'cannot be read';
  if (!check_counts) return null;
  return `${pluralize(check_counts.held, 'third party', 'third parties')} confirmed it, ${check_counts.broke} did not`;
};

export function PositionRow({ position, worker, wage }: PositionProps) {
  const { role, title, created_at, hire, poster, delivery, drift, acceptance } = position;
  const job = <Title key="job" to={PAGE_PATHS.job(role)} text={title} otherwise={role} class="title" />;
  const status = wage ? <>paid {<span class="amount">{wage}</span>}</> : positionStatusText(position);
  return (
    <li>
      <Row aside={<Joined of={[status, <Timestamp key="since" at={created_at} day relative />]} />}>
        <Joined of={[worker !== undefined && <PersonLink id={worker} />, job]} />
      </Row>
      <p class="under">
        <Joined
          of={[
            <>for {<PersonLink id={poster} />}</>,
            delivery && <>delivery: {<DeliveryLink delivery={delivery} />}</>,
            drift && <span class="warn">the address has different content now</span>,
            checksText(position),
            hire !== undefined && <Link to={PAGE_PATHS.record(hire)}>record</Link>,
          ]}
        />
      </p>
      {acceptance?.note && (
        <div class="nested">
          <p class="under">
            <PersonLink id={acceptance.by} /> on accepting it:
          </p>
          <MemberText text={acceptance.note} />
        </div>
      )}
    </li>
  );
}
