import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { recordDrift } from '#libs/features/deliveries/drift-checker.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { given } from '../../given.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, WORKER } = world;
const WAS = sha256Hex('bonjour');
const NOW_IT_IS = sha256Hex('adieu');
const found =
  (digest: string, delivery = 1) =>
  (hire: Hire) =>
    recordDrift(hire, delivery, digest);
const read = [world.hired(), world.delivered(), world.deliveryRead()];
const drifted = (digest = NOW_IT_IS) => world.told('DeliveryDrifted', { digest });
const matches = world.told('DeliveryMatches');
const parties = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER, delivery: 1 };

describe('comparing a delivery with its address', () => {
  test('writes nothing for the same content', () => {
    given(Hire, ...read)
      .when(found(WAS))
      .thenNothing();
  });

  test('records a drift once for changed content', () => {
    const [fact] = given(Hire, ...read)
      .when(found(NOW_IT_IS))
      .thenTypes('DeliveryDrifted');
    expect(fact!.data).toEqual({ ...parties, digest: NOW_IT_IS, was: WAS });
    given(Hire, ...read, fact!)
      .when(found(NOW_IT_IS))
      .thenNothing();
  });

  test('records another drift when the content changes again', () => {
    const [fact] = given(Hire, ...read, drifted())
      .when(found(sha256Hex('au revoir')))
      .thenTypes('DeliveryDrifted');
    expect(fact!.data).toMatchObject({ was: WAS });
  });

  test('records a match once when the original content is back', () => {
    const [fact] = given(Hire, ...read, drifted())
      .when(found(WAS))
      .thenTypes('DeliveryMatches');
    expect(fact!.data).toEqual({ ...parties, digest: WAS });
    given(Hire, ...read, drifted(), matches)
      .when(found(WAS))
      .thenNothing();
    given(Hire, ...read, drifted(), matches)
      .when(found(NOW_IT_IS))
      .thenTypes('DeliveryDrifted');
  });

  test('ignores an older delivery', () => {
    given(Hire, ...read, world.delivered(2), world.deliveryRead(2))
      .when(found(NOW_IT_IS, 1))
      .thenNothing();
  });

  test('ignores a delivery that was never read', () => {
    given(Hire, world.hired(), world.delivered()).when(found(NOW_IT_IS)).thenNothing();
    given(Hire, world.hired(), world.delivered(), world.told('DeliveryRead', { digest: null }))
      .when(found(NOW_IT_IS))
      .thenNothing();
  });

  test('compares a paid delivery too', () => {
    given(Hire, ...read, world.paid)
      .when(found(NOW_IT_IS))
      .thenTypes('DeliveryDrifted');
  });

  test('does nothing without a delivery', () => {
    given(Hire).when(found(WAS)).thenNothing();
    given(Hire, world.hired()).when(found(WAS)).thenNothing();
    given(Hire, world.hired(), world.hireEnded()).when(found(WAS)).thenNothing();
  });
});
