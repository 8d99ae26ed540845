import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/jobs/views/position.shape.js';
import { erasedDelivery } from './erased-delivery.js';
import { Link, ExternalLink } from './links.js';
import { type People, PersonLink } from './people.js';
import type { ShapeValue } from './shape-value.js';
import { pluralize, MemberText, Title, Timestamp } from './texts.js';

export type Position = ShapeValue<typeof shapes.Position>;
type Delivery = NonNullable<Position['delivery']>;

interface PositionProps {
  readonly position: Position;
  readonly among: People;
  /** Worker of the position, in lists with several workers. */
  readonly worker?: string;
}

export function positionStatusText({
  status,
  role_closed_at,
  ended,
  paid,
  acceptance,
  dispute,
  settlement,
}: Position): string {
  if (status === 'applied') return role_closed_at == null ? 'applied' : 'applied, job closed';
  if (ended) return 'ended';
  if (dispute?.state === 'open') return 'disputed';
  if (paid) return 'paid';
  if (acceptance) return 'accepted';
  return settlement ?? 'hired';
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

export const PositionRow = ({ position, among, worker }: PositionProps) => (
  <li>
    <div class="row">
      <span>
        {worker !== undefined && (
          <>
            <PersonLink id={worker} among={among} /> ·{' '}
          </>
        )}
        <Title to={PAGE_PATHS.job(position.role)} text={position.title} otherwise={position.role} class="title" />
      </span>
      <span class="aside">
        {positionStatusText(position)} · <Timestamp at={position.created_at} day />
        {position.hire !== undefined && (
          <>
            {' · '}
            <Link to={PAGE_PATHS.record(position.hire)}>record</Link>
          </>
        )}
      </span>
    </div>
    <p class="under">
      for <PersonLink id={position.poster} among={among} />
      {position.delivery && (
        <>
          {' · delivered '}
          <DeliveryLink delivery={position.delivery} />
        </>
      )}
      {position.drift && <span class="warn"> · the address has different content now</span>}
      {checksText(position) && ` · ${checksText(position)}`}
    </p>
    {position.acceptance?.note && <MemberText text={position.acceptance.note} />}
  </li>
);
