import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/** How often one process has answered each of these profiles since it last said so. It says so once an hour at most. */
export const ViewsCounted = defineEvent('ViewsCounted', { views: f.clear(f.byMuse(f.integer)) });

const DAY_CHARACTERS = 'yyyy-mm-dd'.length;

/** The UTC day of a time in unix ms: `2026-11-22`. */
const dayOf = (at: number) => new Date(at).toISOString().slice(0, DAY_CHARACTERS);

/** How often profiles were read on one day, as the stream `views-<day>` says: all of them together. */
export const Views = defineStream('views', {
  key: dayOf,
  events: [ViewsCounted],
  initial: 0,
  evolve: (sum: number, { data }: EventOf<typeof ViewsCounted>) =>
    Object.values(data.views).reduce((more, count) => more + count, sum),
});
