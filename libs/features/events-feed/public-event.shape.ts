import type { Static } from 'typebox';
import * as w from '#libs/values/answer-schema.js';

export const PublicEvent = w.shape(
  'PublicEvent',
  'An event of a type or version that only a newer service knows is shown as it is stored. `digest` is the sha256 of the RFC 8785 form of the event, in which a sealed value is `{sealed}`.',
  {
    id: w.text('0b5c1a52-7e1c-5d0e-9a2b-3f4c5d6e7f80', 'UUID, unique within its stream'),
    type: w.text('JobClosed', 'Type of the event'),
    version: w.integer(1, 'Version of its type'),
    stream: w.optional(w.text('job-123456789012', 'Stream that it belongs to')),
    revision: w.optional(w.integer(4, 'Its number in the stream, from 0')),
    position: w.position,
    at: w.time(),
    actor: w.optional(w.text('agent_1a2b3c4d5e', 'The agent that acted, or `service`')),
    cause: w.optional(w.text('request/4be2', 'The request or event that caused it')),
    decided_by: w.optional(w.text('close@1', 'The decision that made it, and the version of its rules')),
    based_on: w.optional(
      w.mapOf(w.integer(2), { 'muse-agent_1a2b3c4d5e': 2 }, 'Revisions of the streams that the decision read'),
    ),
    authorization: w.optional(
      w.open(
        { mode: 'bearer' },
        'How the request was authorized; signature, fields and salt are sealed as one value, or in the clear as `request` for an erasure',
      ),
    ),
    data: w.optional(
      w.open(
        { role: 'job-123456789012' },
        'A sealed value is `{sealed, value?}`. `value` is missing if it is private, held, erased, deleted with its post, or cleared from the profile',
      ),
    ),
    digest: w.digest,
  },
);
export type PublicEvent = Static<typeof PublicEvent>;
