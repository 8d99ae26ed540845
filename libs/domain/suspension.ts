import type { RequestFields } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { isKnownMuse, Muse, TokenRevoked } from './muse.js';

/** Limits an endpoint to some requests of a suspended muse, and to the events that these requests write. */
interface PartialRight {
  readonly allows: (sent: RequestFields) => boolean;
  readonly events: readonly { readonly type: string }[];
}

/** The rights of a suspended muse, by endpoint: `true` allows every request, and other endpoints refuse all of them. */
const SUSPENDED_RIGHTS: Readonly<Record<string, true | PartialRight>> = {
  whoami: true,
  inbox: true,
  key: true,
  recovery: true,
  recover: true,
  forget: true,
  token: { allows: ({ action }) => action === 'revoke', events: [TokenRevoked] },
};

const findRight = (endpoint: string) =>
  Object.hasOwn(SUSPENDED_RIGHTS, endpoint) ? SUSPENDED_RIGHTS[endpoint] : undefined;

/** Whether an endpoint refuses no request of a suspended muse. */
export const isOpenWhileSuspended = (endpoint: string): boolean => findRight(endpoint) === true;

export function canCallWhileSuspended(endpoint: string, sent: RequestFields): boolean {
  const right = findRight(endpoint);
  return typeof right === 'object' ? right.allows(sent) : right === true;
}

/** Ignores the fields of the request, which an auditor may find hidden or erased. */
export function canWriteWhileSuspended(endpoint: string, eventType: string): boolean {
  const right = findRight(endpoint);
  return typeof right === 'object' ? right.events.some(({ type }) => type === eventType) : right === true;
}

export function assertNotSuspended(muse: Muse, mayStill: boolean): void {
  if (mayStill || !isKnownMuse(muse) || !muse.suspended) return;
  throw new Refusal('suspended', 'The operator has suspended this identity.', {
    hint: `Read the reason at GET /api/events?types=Suspended&stream=${Muse.streamName(muse.muse_id)}.`,
  });
}
