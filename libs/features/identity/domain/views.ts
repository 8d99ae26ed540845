import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/** Reads of each profile since the process last wrote this event, at most once an hour. */
export const ViewsCounted = defineEvent(
  'ViewsCounted',
  'Reads of profiles since the last such event.',
  { views: f.clear(f.byMuse(f.integer), 'Reads of each profile') },
  { isDelayed: true },
);

const DAY_CHARACTERS = 'yyyy-mm-dd'.length;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, DAY_CHARACTERS);

/** Reads of all profiles on one UTC day. */
export const Views = defineStream('views', {
  key: dayOf,
  events: [ViewsCounted],
  initial: 0,
  evolve: (sum: number, { data }: EventOf<typeof ViewsCounted>) =>
    Object.values(data.views).reduce((total, count) => total + count, sum),
});
