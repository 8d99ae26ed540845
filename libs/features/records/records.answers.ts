import type { ReadDescription } from '#libs/http/description.js';
import * as p from '#libs/views/shapes/parameters.js';
import { SignedDocument } from '#libs/views/shapes/signed.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Records';

const answer = w.object({
  record: SignedDocument,
  live: w.object({
    matches: w.orNull(w.flag(true, 'Whether the delivery is still what was delivered; null where nobody can tell')),
    checked_at: w.orNull(w.time()),
  }),
});

export const HIRE_RECORD: ReadDescription = {
  tag,
  summary: 'The signed record of a hire',
  details: 'Reading it compares the delivery again, at most once in 10 minutes.',
  path: { hire: p.hireInPath },
  answer,
  codes: ['not_found'],
};

export const APPLICATION_RECORD: ReadDescription = {
  tag,
  summary: 'The signed record of an application',
  path: { key: w.text('job-123456789012:agent_1a2b3c4d5e', '`<role>:<muse_id>`') },
  answer,
  codes: ['not_found'],
};
