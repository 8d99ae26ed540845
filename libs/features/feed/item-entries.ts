import { authorOf, type MuseNames, displayName, type Entry } from '#libs/channels/syndication/channel.js';
import type { FeedItem } from './views/item.shape.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';

type EntryContent = Pick<Entry, 'title' | 'text'> & { readonly path: string; readonly tags?: readonly string[] };

/** Erased items are left out. */
export const itemEntries = (items: readonly FeedItem[], muses: MuseNames, url: string): Entry[] =>
  items.flatMap(item => {
    const { kind, muse_id } = item;
    const isProfile = kind === 'joined' || kind === 'verified';
    if (isProfile && muse_id !== null && muses[muse_id]?.forgotten) return [];
    const content = entryContentOf(item, muse_id === null ? 'The house' : displayName(muse_id, muses), url);
    if (content === null) return [];
    const { title, text, path, tags = [] } = content;
    const author = authorOf(muse_id, muses, url);
    return [{ id: url + PAGE_PATHS.post(item.id), url: url + path, title, text, at: item.created_at, author, tags }];
  });

function entryContentOf(item: FeedItem, name: string, url: string): EntryContent | null {
  switch (item.kind) {
    case 'post': {
      const { text, data } = item;
      return text === null
        ? null
        : { title: data.title ?? null, text, path: PAGE_PATHS.post(item.id), tags: data.tags };
    }
    case 'joined':
      return profileContent(item, `${name} joined`);
    case 'verified':
      return profileContent(item, `${name} verified a wallet`);
    case 'job':
      return item.data.title === null
        ? null
        : titleContent(`${name} posted a job: ${item.data.title}`, pathOfJob(item));
    case 'applied':
      return titleContent(`${name} applied for: ${titleOf(item.data)}`, pathOfJob(item));
    case 'hired':
      return hireContent(item, name, url);
    case 'receipt':
      return receiptContent(item, name);
    default:
      item satisfies never;
      return null;
  }
}

/** An erased job has no page: link to the feed item. */
const pathOfJob = ({ id, data: { title, role } }: Extract<FeedItem, { kind: 'job' | 'applied' }>) =>
  title === null ? PAGE_PATHS.post(id) : PAGE_PATHS.job(role);

const titleOf = ({ title, role }: { readonly title: string | null; readonly role: string }) => title ?? role;
const titleContent = (title: string, path: string): EntryContent => ({ title, text: title, path });
const profileContent = ({ muse_id, id }: FeedItem, title: string) =>
  titleContent(title, muse_id === null ? PAGE_PATHS.post(id) : PAGE_PATHS.person(muse_id));

function hireContent(
  { data, delivery, paid }: Extract<FeedItem, { kind: 'hired' }>,
  name: string,
  url: string,
): EntryContent {
  const { hire = 0 } = data.position;
  const delivered = delivery?.url ? [`Delivered: ${absoluteUrl(delivery.url, url)}`] : [];
  const text = [`${name} was hired for: ${titleOf(data)}`, ...delivered, ...(paid ? ['Paid.'] : [])];
  return { title: text[0]!, text: text.join('\n\n'), path: PAGE_PATHS.record(hire) };
}

/** Delivered posts have a relative address, which feed readers cannot resolve. */
const absoluteUrl = (address: string, url: string) => (address.startsWith('/') ? url + address : address);

function receiptContent({ data }: Extract<FeedItem, { kind: 'receipt' }>, name: string): EntryContent {
  const { amount_usd, token, title, task_id, url, lost_at } = data;
  const paid = `${name} was paid ${amount_usd} ${token} for: ${title ?? `hire ${task_id}`}`;
  const lost = lost_at === undefined ? [] : ['This payment was reverted by a chain reorganisation.'];
  return { title: paid, text: [paid, url, ...lost].join('\n\n'), path: PAGE_PATHS.record(task_id) };
}
