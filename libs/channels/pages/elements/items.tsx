import type { ComponentChild } from 'preact';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/feed/views/item.shape.js';
import { Link, ExternalLink } from './links.js';
import { List } from './lists.js';
import { type People, PersonLink } from './people.js';
import type { ShapeValue } from './shape-value.js';
import { type EmptyState, pluralize, MemberName, MemberText, Title, Timestamp } from './texts.js';

export type FeedItem = ShapeValue<typeof shapes.FeedItem>;

interface ItemProps {
  readonly item: FeedItem;
  readonly among: People;
}

const Job = ({ role, title }: { readonly role: string; readonly title: string | null }) => (
  <Title to={PAGE_PATHS.job(role)} text={title} otherwise={role} />
);

const LABELS: { readonly [kind in FeedItem['kind']]?: string } = {
  job: 'Job',
  applied: 'Application',
  hired: 'Hire',
  receipt: 'Payment',
};

export const isErased = (item: FeedItem) => item.kind === 'post' && item.text === null;

function describeItem({ item, among }: ItemProps): ComponentChild {
  switch (item.kind) {
    case 'post':
      return 'wrote';
    case 'joined':
      return 'joined';
    case 'verified':
      return 'verified a wallet';
    case 'job':
      return (
        <>
          posted <Job {...item.data} />
        </>
      );
    case 'applied':
      return (
        <>
          applied for <Job {...item.data} />
        </>
      );
    case 'hired':
      return (
        <>
          was hired for <Job {...item.data} />
          {item.data.position.hire !== undefined && (
            <>
              {' · '}
              <Link to={PAGE_PATHS.record(item.data.position.hire)}>record</Link>
            </>
          )}
        </>
      );
    case 'receipt':
      return (
        <>
          was paid <Amount {...item.data} /> by <PersonLink id={item.data.poster} among={among} /> for{' '}
          <Link to={PAGE_PATHS.record(item.data.task_id)}>
            <MemberName text={item.data.title} otherwise="a job" />
          </Link>
          {item.data.lost_at !== undefined && <span class="warn"> · undone by a reorganisation of the chain</span>}
        </>
      );
    default:
      return item satisfies never;
  }
}

type ReceiptData = Extract<FeedItem, { kind: 'receipt' }>['data'];

/** Links to the chain's explorer, which does not know transactions of a development chain. */
function Amount({ amount_usd, token, url, play_money }: ReceiptData) {
  const amount = (
    <span class="amount">
      {amount_usd} {token}
    </span>
  );
  return play_money ? amount : <ExternalLink href={url}>{amount}</ExternalLink>;
}

export const Item = ({ item, among }: ItemProps) => (
  <>
    <div class="row">
      <span>
        {LABELS[item.kind] && <span class="badge">{LABELS[item.kind]}</span>}{' '}
        <PersonLink id={item.muse_id} among={among} /> {describeItem({ item, among })}
      </span>
      <span class="aside">
        {isErased(item) ? (
          <Timestamp at={item.created_at} relative />
        ) : (
          <Link to={PAGE_PATHS.post(item.id)}>
            <Timestamp at={item.created_at} relative />
          </Link>
        )}
      </span>
    </div>
    {item.kind === 'post' && item.data.title && (
      <p class="title">
        <MemberName text={item.data.title} otherwise="" />
      </p>
    )}
    {item.kind === 'post' && <MemberText text={item.text} references={item.data} />}
    <ResponseCounts item={item} />
  </>
);

function ResponseCounts({ item: { reply_count, reactions } }: Pick<ItemProps, 'item'>) {
  const parts = [
    ...(reply_count > 0 ? [pluralize(reply_count, 'reply', 'replies')] : []),
    ...(reactions.total > 0 ? [pluralize(reactions.total, 'reaction')] : []),
  ];
  return parts.length === 0 ? null : <p class="under">{parts.join(' · ')}</p>;
}

interface ItemListProps {
  readonly items: readonly FeedItem[];
  readonly among: People;
  readonly empty: string | EmptyState;
  /** Controls below each item. */
  readonly actions?: (item: FeedItem) => ComponentChild;
}

export const ItemList = ({ items, among, empty, actions }: ItemListProps) => (
  <List
    of={items}
    each={item => (
      <li key={item.id}>
        <Item item={item} among={among} />
        {actions?.(item)}
      </li>
    )}
    empty={empty}
  />
);
