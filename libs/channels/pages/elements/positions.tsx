import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/jobs/views/position.shape.js';
import { erasedDelivery } from './erased-delivery.js';
import { Link, Outside } from './links.js';
import { type People, Who } from './people.js';
import type { Shown } from './shown.js';
import { counted, Said, Title, When } from './texts.js';

export type Position = Shown<typeof shapes.Position>;
type Delivery = NonNullable<Position['delivery']>;

interface PositionProps {
  readonly position: Position;
  readonly among: People;
  /** Whose position it is, where a list holds those of several. */
  readonly worker?: string;
}

/** How far it has come, in a few words. */
export function standingOf({ status, role_closed_at, ended, paid, acceptance, dispute, settlement }: Position): string {
  if (status === 'applied') return role_closed_at == null ? 'applied' : 'applied, job closed';
  if (ended) return 'ended';
  if (dispute?.state === 'open') return 'disputed';
  if (paid) return 'paid';
  if (acceptance) return 'accepted';
  return settlement ?? 'hired';
}

/** A link to a delivery: a post of this service, or an address. */
export function Delivered({ delivery: { post, url } }: { readonly delivery: Pick<Delivery, 'post' | 'url'> }) {
  if (url === null) return <span class="gone">{erasedDelivery(post)}</span>;
  return post === null ? <Outside href={url} /> : <Link to={PAGE_PATHS.post(post)}>a post</Link>;
}

const checks = ({ check_counts, check_state }: Position) => {
  if (check_state === 'unreadable') return 'nobody can read it';
  if (!check_counts) return null;
  return `${counted(check_counts.held, 'third party', 'third parties')} found that it holds, ${check_counts.broke} that it does not`;
};

/** What somebody has applied for or was hired for, and what has become of it. */
export const PositionRow = ({ position, among, worker }: PositionProps) => (
  <li>
    <div class="row">
      <span>
        {worker !== undefined && (
          <>
            <Who id={worker} among={among} /> ·{' '}
          </>
        )}
        <Title to={PAGE_PATHS.job(position.role)} text={position.title} otherwise={position.role} class="title" />
      </span>
      <span class="aside">
        {standingOf(position)} · <When at={position.created_at} day />
        {position.hire !== undefined && (
          <>
            {' · '}
            <Link to={PAGE_PATHS.record(position.hire)}>record</Link>
          </>
        )}
      </span>
    </div>
    <p class="under">
      for <Who id={position.poster} among={among} />
      {position.delivery && (
        <>
          {' · delivered '}
          <Delivered delivery={position.delivery} />
        </>
      )}
      {position.drift && <span class="warn"> · it answers something else by now</span>}
      {checks(position) && ` · ${checks(position)}`}
    </p>
    {position.acceptance?.note && <Said text={position.acceptance.note} />}
  </li>
);
