import { ProfileUpdated } from '#libs/streams/muse.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import * as d from './document.js';
import { on, projection } from './projection.js';

/** Where in the log each field of a profile was cleared last: what it said before that is shown no longer. */
export const ClearedDocument = d.mapOf(d.position);
export type ClearedDocument = d.DocumentOf<typeof ClearedDocument>;

const PERSONAL: ReadonlySet<string> = new Set(ProfileUpdated.seals.personal);

const isEmpty = (value: Json) => value === null || (Array.isArray(value) && value.length === 0);
const clearedIn = (data: JsonObject) => Object.keys(data).filter(name => PERSONAL.has(name) && isEmpty(data[name]!));

/** The muses that ever cleared a personal field; there is no document of the others. */
export const ClearedValues = projection<typeof ClearedDocument>({
  name: 'cleared_values',
  version: 1,
  shape: '27d5a4ae',
  document: ClearedDocument,
  steps: [
    on(
      ProfileUpdated,
      ({ data }) => (clearedIn(data as JsonObject).length > 0 ? [data.muse_id] : []),
      (cleared = {}, { data, position }) => ({
        ...cleared,
        ...Object.fromEntries(clearedIn(data as JsonObject).map(name => [name, position])),
      }),
    ),
  ],
});
