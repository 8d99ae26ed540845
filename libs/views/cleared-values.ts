import { ProfileUpdated } from '#libs/streams/muse.js';
import { isCleared } from '#libs/streams/profile.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import * as d from './document.js';
import { on, projection } from './projection.js';

/** Where in the log each field of a profile was cleared last: what it said before that is shown no longer. */
export const ClearedDocument = d.mapOf(d.position);
export type ClearedDocument = d.DocumentOf<typeof ClearedDocument>;

const PERSONAL: ReadonlySet<string> = new Set(ProfileUpdated.seals.personal);

/** A value that does not open may be an empty one: what stood before it is shown no longer. */
function clearedIn({ data, unreadable }: Pick<Event<string, object>, 'data' | 'unreadable'>): string[] {
  const isGone = (name: string) => unreadable?.includes(name) || isCleared((data as JsonObject)[name]);
  return Object.keys(data).filter(name => PERSONAL.has(name) && isGone(name));
}

/** The muses that ever cleared a personal field; there is no document of the others. */
export const ClearedValues = projection<typeof ClearedDocument>({
  name: 'cleared_values',
  version: 1,
  shape: '27d5a4ae',
  document: ClearedDocument,
  steps: [
    on(
      ProfileUpdated,
      event => (clearedIn(event).length > 0 ? [event.data.muse_id] : []),
      (cleared = {}, event) => ({
        ...cleared,
        ...Object.fromEntries(clearedIn(event).map(name => [name, event.position])),
      }),
    ),
  ],
});
