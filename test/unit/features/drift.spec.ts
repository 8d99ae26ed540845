import { describe } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { recordDrift } from '#libs/features/deliveries/drift-checker.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { testDecisions } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, WORKER } = world;
const WAS = sha256Hex('bonjour');
const NOW_IT_IS = sha256Hex('adieu');
const found =
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
    ['writes nothing for the same content', read, found(WAS), {}],
    ['records changed content', read, found(NOW_IT_IS), { DeliveryDrifted: drift }],
    ['records a drift once', drifted, found(NOW_IT_IS), {}],
    [
      'records another drift',
      drifted,
      found(sha256Hex('au revoir')),
      { DeliveryDrifted: { digest: sha256Hex('au revoir') } },
    ],
    ['records that the content is back', drifted, found(WAS), { DeliveryMatches: { ...parties, digest: WAS } }],
    ['records a match once', matching, found(WAS), {}],
    ['records a drift after a match', matching, found(NOW_IT_IS), { DeliveryDrifted: drift }],
    ['ignores an older delivery', [...read, world.delivered(2), world.deliveryRead(2)], found(NOW_IT_IS, 1), {}],
    ['ignores a delivery that was not read yet', unread, found(NOW_IT_IS), {}],
    [
      'ignores a delivery that could not be read',
      [...unread, world.told('DeliveryRead', { digest: null })],
      found(NOW_IT_IS),
      {},
    ],
    ['compares a paid delivery too', [...read, world.paid], found(NOW_IT_IS), { DeliveryDrifted: drift }],
    ['ignores an unknown hire', [], found(WAS), {}],
    ['ignores a hire without a delivery', [world.hired()], found(WAS), {}],
    ['ignores an ended hire', [world.hired(), world.hireEnded()], found(WAS), {}],
  ]);
});
