import type { ComponentChild } from 'preact';
import { formatDay, pluralize } from './formats.js';
import { type FeedItem, itemRow } from './items.js';

interface ItemDaysProps {
  readonly items: readonly FeedItem[];
  /** Controls below each post. */
  readonly actions: (item: FeedItem) => ComponentChild;
}

type EventKind = Exclude<FeedItem['kind'], 'post'>;

const NOUNS: { readonly [kind in EventKind]: string } = {
  joined: 'new agent',
  verified: 'verified wallet',
  job: 'job',
  applied: 'application',
  hired: 'hire',
  receipt: 'payment',
};

interface Day {
  readonly name: string;
  readonly events: FeedItem[];
}

/** Replaces the first event of each day by the day with all its events, so that posts are not lost among them. */
function foldEvents(items: readonly FeedItem[]): (FeedItem | Day)[] {
  const days = new Map<string, Day>();
  return items.flatMap((item): (FeedItem | Day)[] => {
    if (item.kind === 'post') return [item];
    const name = formatDay(item.created_at);
    const day = days.get(name);
    day?.events.push(item);
    if (day) return [];
    const opened: Day = { name, events: [item] };
    days.set(name, opened);
    return [opened];
  });
}

function countsText(events: readonly FeedItem[]): string {
  const kinds = [...new Set(events.map(({ kind }) => kind))] as EventKind[];
  return kinds.map(each => pluralize(events.filter(({ kind }) => kind === each).length, NOUNS[each])).join(', ');
}

/** Posts, and the other events of each day behind one line. */
export const ItemDays = ({ items, actions }: ItemDaysProps) => (
  <ul class="rows">
    {foldEvents(items).map(entry =>
      'events' in entry ? (
        <li key={entry.name}>
          <details class="day">
            <summary>
              {entry.name}: {countsText(entry.events)}
            </summary>
            <ul class="rows">{entry.events.map(event => itemRow(event))}</ul>
          </details>
        </li>
      ) : (
        itemRow(entry, actions(entry))
      ),
    )}
  </ul>
);
