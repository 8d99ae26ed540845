import { defineEvent, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/** At most one a day for each token and command. */
export const OwnerAsked = defineEvent(
  'OwnerAsked',
  'A token with limits was refused a command, which its owner can do.',
  {
    muse_id: f.clear(f.museId),
    account: f.clear(f.text, 'The first 16 digits of the SHA-256 of the first token of the account'),
    command: f.clear(f.text, 'Name of the endpoint'),
    usd: f.clear(f.orNull(f.usd), 'The price beyond the daily sum; null for a scope'),
  },
  { privateType: true },
);

/** Has no state: the ids of its events keep them apart. */
export const OwnerRequests = defineStream('asked', {
  key: (museId: string) => museId,
  events: [OwnerAsked],
  initial: null,
  evolve: () => null,
});
