import type { IndexRange } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Roles } from './roles.js';

/** How many roles are looked at whose time is over and of which no event says so yet: one pass writes down as many. */
const EXPIRED_MAX = 100;

/** Roles that nothing has closed, whose time is over first ahead. Without one they come before all, and are passed over. */
export const BY_EXPIRY: IndexRange = {
  index: 'expiring',
  equals: [false],
  order: 'asc',
  limit: EXPIRED_MAX,
  after: [0, ''],
};

/** How many roles have expired of which no event says so yet, and until when they are as many. Unix ms. */
export async function countUnwrittenExpiries(models: ReadModels, now: number) {
  const found = await models.cached(Roles).find(BY_EXPIRY);
  const times = found.map(({ body }) => body.expires_at ?? Infinity);
  const expired = times.filter(time => time <= now).length;
  return { expired, until: times[expired] ?? Infinity };
}
