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
    based_on: w.optional(w.mapOf(w.integer(2), { 'muse-agent_1a2b3c4d5e': 2 })),
    authorization: w.optional(open({ mode: 'bearer' }, 'How it was allowed')),
    data: w.optional(open({ role: 'job-123456789012' }, 'A sealed value is `{sealed, value?}`')),
    digest: w.digest,
  },
  '`digest` is the sha256 of the RFC 8785 form of the event, in which a sealed value is `{sealed}`.',
);

export const EVENTS: ReadDescription = {
  tag: 'Events',
  summary: 'The log itself: exactly its events, in its order',
  details: '`next` is the position to send back as `after`, `head` the newest position.',
  query: { after: w.position, limit: p.limit(LIMIT_MAX, LIMIT_DEFAULT) },
  answer: w.object({ events: w.list(PublicEvent), next: w.position, head: w.position }),
};
