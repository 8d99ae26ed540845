import { Type } from 'typebox';
import type { ReadDescription } from '#libs/http/description.js';
import * as p from '#libs/views/shapes/parameters.js';
import * as w from '#libs/views/shapes/words.js';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;

const open = (example: object, description: string) =>
  Type.Unsafe({ type: 'object', additionalProperties: true, examples: [example], description });

/** An event as everybody sees it. Events of private types show their head and digest alone. */
const PublicEvent = w.shape(
  'PublicEvent',
  {
    id: w.text('0b5c1a52-7e1c-5d0e-9a2b-3f4c5d6e7f80', 'UUID, unique within its stream'),
    type: w.text('JobClosed'),
    version: w.integer(),
    stream: w.optional(w.text('job-123456789012')),
    revision: w.optional(w.integer(4)),
    position: w.position,
    at: w.time(),
    actor: w.optional(w.text('agent_1a2b3c4d5e')),
    cause: w.optional(w.text('request/4be2')),
    decided_by: w.optional(w.text('close@1', 'The decision that made it and the version of its rules')),
    based_on: w.optional(w.mapOf(w.integer(2), { 'muse-agent_1a2b3c4d5e': 2 })),
    authorization: w.optional(
      open({ mode: 'bearer' }, 'How it was allowed; signature, fields and salt are sealed as one value'),
    ),
    data: w.optional(
      open(
        { role: 'job-123456789012' },
        'A sealed value is `{sealed, value?}`: without its value where it is private, held, erased, or cleared from the profile',
      ),
    ),
    digest: w.digest,
  },
  'Of a type or version that only a newer service knows, everything is as it is stored. `digest` is the sha256 of the RFC 8785 form of the event, in which a sealed value is `{sealed}`.',
);

export const EVENTS: ReadDescription = {
  tag: 'Events',
  summary: 'The log itself: exactly its events, in its order',
  details:
    '`next` is the position to send back as `after`, also when a filter let nothing through; `head` is the newest ' +
    'position. With `accept: application/x-ndjson` every event up to the head comes, one a line, and last ' +
    '`{"head": ...}`; with `accept: text/event-stream` a live tail, which resumes with `Last-Event-ID`.',
  query: {
    after: w.position,
    limit: p.limit(LIMIT_MAX, LIMIT_DEFAULT),
    types: w.text('JobPosted,Applied', 'Comma separated names of event types'),
    stream: w.text('job-123456789012', 'One stream'),
    muse_id: w.text('agent_1a2b3c4d5e', 'What this muse did, and what names it'),
    wait: w.text('0', 'Seconds to wait for an event, at most 25'),
  },
  answer: w.object({ events: w.list(PublicEvent), next: w.position, head: w.position }),
};

export const EVENT_SCHEMAS: ReadDescription = {
  tag: 'Events',
  summary: 'JSON Schema 2020-12 of every event type and version',
  answer: w.object({
    $schema: w.text('https://json-schema.org/draft/2020-12/schema'),
    events: w.list(
      w.object({
        type: w.text('JobPosted'),
        version: w.integer(1),
        private_type: w.flag(),
        sealed: open({ private: [], personal: ['title'], held: [] }, 'Which members of the data the log holds sealed'),
        schema: open({ type: 'object' }, 'Of the event’s data, in clear'),
      }),
    ),
  }),
};

export const CHECKPOINT: ReadDescription = {
  tag: 'Events',
  summary: 'The newest signed checkpoint of the log, a C2SP signed note',
  details:
    'Three lines (origin, number of events, Merkle root in base64), an empty line and a line with the signature of ' +
    'the issuer key. The leaves are the digests of the events in log order, hashed as RFC 9162 says.',
  media: 'text/plain',
  answer: w.object({}),
};
