import type { EventOf } from '#libs/domain/define.js';
import { DeliveryRead, hasDelivery, type Hire, partiesOf } from './hire.js';
import { proofAfter } from './proof.js';

type Reading = Pick<EventOf<typeof DeliveryRead>['data'], 'delivery' | 'digest' | 'bytes' | 'media_type' | 'reason'>;

/** Another digest than that of the versions before ends the rechecks of those. */
export function recordReading(hire: Hire, reading: Reading) {
  if (hire.status === 'unknown') return [];
  const read = { ...partiesOf(hire), ...reading };
  if (!hasDelivery(hire) || hire.delivery.delivery !== reading.delivery) return [DeliveryRead(read)];
  const { earlier, ownChecks } = hire.delivery;
  if (reading.digest === null || !earlier || earlier.digest === reading.digest) return [DeliveryRead(read)];
  const outdated_for = [...earlier.checks.rechecks].map(([muse]) => muse).sort();
  return [DeliveryRead({ ...read, outdated_for, ...proofAfter(hire, { newestResult: ownChecks.newestResult }) })];
}
