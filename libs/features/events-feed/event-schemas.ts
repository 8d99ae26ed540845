import type { JsonObject } from '#libs/kernel/json.js';
import type { AnyEventType } from '#libs/streams/define.js';
import { EVENT_TYPES } from '#libs/streams/streams.js';
import { read } from '#libs/verbs/read.js';
import * as w from '#libs/views/shapes/words.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema 2020-12 of the data of every event type and version, and which of its members the log holds sealed. */
export const eventSchemas = read('event_schemas', {
  path: '/api/events/schema',
  answer: w.object({
    $schema: w.text(DIALECT),
    events: w.list(
      w.object({
        type: w.text('JobPosted'),
        version: w.integer(1),
        private_type: w.flag(),
        sealed: w.open(
          { private: [], personal: ['title'], held: [] },
          'Which members of the data the log holds sealed',
        ),
        schema: w.open({ type: 'object' }, 'Of the event’s data, in clear'),
      }),
    ),
  }),
  doc: { tag: 'Events', summary: 'JSON Schema 2020-12 of every event type and version' },
  find: () => ({ $schema: DIALECT, events: [...EVENT_TYPES.values()].flatMap(described) }),
});

/** The newest version first. */
function described({ type, versions, privateType }: AnyEventType) {
  const all = versions.map(({ schema, seals }, index) => ({
    type,
    version: index + 1,
    private_type: privateType,
    sealed: { private: seals.private, personal: seals.personal, held: seals.held },
    schema: JSON.parse(JSON.stringify(schema)) as JsonObject,
  }));
  return all.reverse();
}
