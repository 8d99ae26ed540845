import { describe } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { recordDrift } from '#libs/features/deliveries/drift-checker.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { testDecisions } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, WORKER } = world;
const WAS = sha256Hex('bonjour');
const NOW_IT_IS = sha256Hex('adieu');
const driftTo =
  (digest: string, delivery = 1) =>
  (hire: Hire) =>
    recordDrift(hire, delivery, digest);
const read = [world.hired(), world.delivered(), world.deliveryRead()];
const drifted = [...read, world.told('DeliveryDrifted', { digest: NOW_IT_IS })];
const matching = [...drifted, world.told('DeliveryMatches')];
const unread = [world.hired(), world.delivered()];
const parties = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER, delivery: 1 };

describe('comparing a delivery with its address', () => {
  const drift = { ...parties, digest: NOW_IT_IS, was: WAS };
  testDecisions(Hire, {}, [
    ['writes nothing for the same content', read, driftTo(WAS), {}],
    ['records changed content', read, driftTo(NOW_IT_IS), { DeliveryDrifted: drift }],
    ['records a drift once', drifted, driftTo(NOW_IT_IS), {}],
    [
      'records another drift',
      drifted,
      driftTo(sha256Hex('au revoir')),
      { DeliveryDrifted: { digest: sha256Hex('au revoir') } },
    ],
    ['records that the content is back', drifted, driftTo(WAS), { DeliveryMatches: { ...parties, digest: WAS } }],
    ['records a match once', matching, driftTo(WAS), {}],
    ['records a drift after a match', matching, driftTo(NOW_IT_IS), { DeliveryDrifted: drift }],
    ['ignores an older delivery', [...read, world.delivered(2), world.deliveryRead(2)], driftTo(NOW_IT_IS, 1), {}],
    ['ignores a delivery that was not read yet', unread, driftTo(NOW_IT_IS), {}],
    [
      'ignores a delivery that could not be read',
      [...unread, world.told('DeliveryRead', { digest: null })],
      driftTo(NOW_IT_IS),
      {},
    ],
    ['compares a paid delivery too', [...read, world.paid], driftTo(NOW_IT_IS), { DeliveryDrifted: drift }],
    ['ignores an unknown hire', [], driftTo(WAS), {}],
    ['ignores a hire without a delivery', [world.hired()], driftTo(WAS), {}],
    ['ignores an ended hire', [world.hired(), world.hireEnded()], driftTo(WAS), {}],
  ]);
});
