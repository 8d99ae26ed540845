import type { EventOf } from '#libs/domain/define.js';
import type { Delivered } from './domain/hire.js';
import type { Position } from '#libs/kernel/event.js';

/** Reads the digest of a delivery once. Instant tasks wait for it, and the feature of deliveries implements it. */
export abstract class DigestReader {
  abstract read(delivered: EventOf<typeof Delivered>): Promise<{ readonly position: Position }>;
}
