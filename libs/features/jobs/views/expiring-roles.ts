import type { IndexRange } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Roles } from './roles.js';

/** Maximum expired jobs that one pass closes. */
const EXPIRED_MAX = 100;

/** Open roles, the next to expire first and those without an expiry last. */
export const BY_EXPIRY: IndexRange = { index: 'byEnd', equals: [false], order: 'desc', limit: EXPIRED_MAX };

/** Counts expired roles without a `JobClosed` event; the count is valid until `until`. Unix ms. */
export async function countUnwrittenExpiries(models: ReadModels, now: number) {
  const roles = await models.cached(Roles).find(BY_EXPIRY);
  const times = roles.map(({ body }) => body.expires_at ?? Infinity);
  const expired = times.filter(time => time <= now).length;
  return { expired, until: times[expired] ?? Infinity };
}
