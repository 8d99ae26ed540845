import { describe, expect } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { recordReading } from '#libs/features/hires/domain/reading.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { testDecisions } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, STRANGER } = world;
const [SAME, OTHER] = [sha256Hex('bonjour'), sha256Hex('adieu')];
const read = (delivery: number, digest: string | null) => (hire: Hire) =>
  recordReading(hire, { delivery, digest, bytes: 7, media_type: 'text/plain', reason: null });

const broke = [world.hired(), world.delivered(), world.deliveryRead(), world.rechecked({ result: 'broke' })];
const again = [...broke, world.delivered(2)];
const unreadable = [...again, world.told('DeliveryRead', { delivery: 2, digest: null, reason: 'status', bytes: 0 })];
const reset = { digest: OTHER, outdated_for: [CHECKER], skills: expect.anything(), proves: true };

describe('the reading of another version', () => {
  testDecisions(Hire, { DeliveryRead: { delivery: 2 } }, [
    ['keeps the rechecks if the digest is the same', again, read(2, SAME), { DeliveryRead: {} }],
    ['keeps the rechecks if it cannot be read', again, read(2, null), { DeliveryRead: { digest: null } }],
    ['ends the rechecks if the digest is another one', again, read(2, OTHER), { DeliveryRead: reset }],
    [
      'compares with the last digest that was read',
      [...unreadable, world.delivered(3)],
      read(3, SAME),
      { DeliveryRead: { delivery: 3 } },
    ],
    [
      'ends rechecks that outlived an unreadable version',
      [...unreadable, world.delivered(3)],
      read(3, OTHER),
      { DeliveryRead: { ...reset, delivery: 3 } },
    ],
    [
      'keeps a recheck of the new version that was made before it',
      [...again, world.rechecked({ result: 'broke', delivery: 2, by: STRANGER })],
      read(2, OTHER),
      { DeliveryRead: { ...reset, proves: null } },
    ],
    [
      'ends no recheck of an older version',
      [...again, world.delivered(3)],
      read(2, OTHER),
      { DeliveryRead: { digest: OTHER } },
    ],
    [
      'changes no proof of a disputed hire',
      [...again, world.disputed(world.POSTER)],
      read(2, OTHER),
      { DeliveryRead: { ...reset, proves: null } },
    ],
  ]);
});
