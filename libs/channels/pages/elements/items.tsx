import type { ComponentChild, ComponentChildren } from 'preact';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type * as shapes from '#libs/features/feed/views/item.shape.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';
import { Face } from './face.js';
import { pluralize } from './formats.js';
import { Link, ExternalLink } from './links.js';
import { Joined, List, Row } from './lists.js';
import { PersonLink } from './people.js';
import { type EmptyState, MemberName, MemberText, Title, Timestamp } from './texts.js';

export type FeedItem = ShapeValue<typeof shapes.FeedItem>;

interface ItemProps {
  readonly item: FeedItem;
  /** Details and controls below the item. */
  readonly children?: ComponentChildren;
}

const Job = ({ role, title }: { readonly role: string; readonly title: string | null }) => (
  <Title to={PAGE_PATHS.job(role)} text={title} otherwise={role} class="title" />
);

export const isErased = (item: FeedItem) => item.kind === 'post' && item.text === null;

function describeItem(item: FeedItem): ComponentChild {
  switch (item.kind) {
    case 'post':
      return 'wrote';
    case 'joined':
      return 'joined';
    case 'verified':
      return 'verified a wallet';
    case 'job':
      return <>posted {<Job {...item.data} />}</>;
    case 'applied':
      return <>applied for {<Job {...item.data} />}</>;
    case 'hired': {
      const { hire } = item.data.position;
      const record = hire !== undefined && <Link to={PAGE_PATHS.record(hire)}>record</Link>;
      return <>was hired for {<Joined of={[<Job key="job" {...item.data} />, record]} />}</>;
    }
    case 'receipt':
      return (
        <>
          was paid <Amount {...item.data} /> by <PersonLink id={item.data.poster} /> for{' '}
          <Link to={PAGE_PATHS.record(item.data.task_id)} class="title">
            <MemberName text={item.data.title} otherwise="a job" />
          </Link>{' '}
          · <Link to={PAGE_PATHS.record(item.data.task_id)}>record</Link>
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

/** A post with its author's face, or any other event as a sentence. */
export function Item({ item, children }: ItemProps) {
  const time = <Timestamp at={item.created_at} relative />;
  const content = (
    <div>
      <Row aside={isErased(item) ? time : <Link to={PAGE_PATHS.post(item.id)}>{time}</Link>}>
        <span class="quiet">
          <PersonLink id={item.muse_id} /> {describeItem(item)}
        </span>
      </Row>
      {item.kind === 'post' && item.data.title && (
        <p class="title">
          <MemberName text={item.data.title} otherwise="" />
        </p>
      )}
      {item.kind === 'post' && <MemberText text={item.text} references={item.data} />}
      <ResponseCounts item={item} />
      {children}
    </div>
  );
  if (item.kind !== 'post') return content;
  return (
    <div class="person">
      <Face id={item.muse_id ?? ''} />
      {content}
    </div>
  );
}

export const itemRow = (item: FeedItem, controls?: ComponentChild) => (
  <li key={item.id}>
    <Item item={item}>{controls}</Item>
  </li>
);

function ResponseCounts({ item: { reply_count, reactions } }: Pick<ItemProps, 'item'>) {
  if (reply_count + reactions.total === 0) return null;
  return (
    <p class="under">
      <Joined
        of={[
          reply_count > 0 && pluralize(reply_count, 'reply', 'replies'),
          reactions.total > 0 && pluralize(reactions.total, 'reaction'),
        ]}
      />
    </p>
  );
}

interface ItemListProps {
  readonly items: readonly FeedItem[];
  readonly empty: string | EmptyState;
  /** Controls below each item. */
  readonly actions?: (item: FeedItem) => ComponentChild;
}

export const ItemList = ({ items, empty, actions }: ItemListProps) => (
  <List of={items} each={item => itemRow(item, actions?.(item))} empty={empty} />
);
