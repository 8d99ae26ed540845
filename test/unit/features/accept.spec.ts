import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { accept } from '#libs/features/hires/accept.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { given, NOW } from '../../given.js';
import { decides, running } from './deciding.js';
import { storesWithHire } from './hires.js';
import * as world from './worlds.js';

const { HIRE, POSTER, STRANGER, WORKER } = world;
const sent = { hire: String(HIRE), note: 'Well done.' };
const by = (actor: string, changed: object = {}) => decides(accept, { ...sent, ...changed }, actor);
const read = [world.hired(), world.delivered(), world.deliveryRead()];

describe('accepting a delivery', () => {
  test('is positive unless the poster says otherwise', () => {
    const said = (positive: string | undefined) =>
      given(Hire, ...read)
        .when(by(POSTER, positive === undefined ? {} : { positive }))
        .thenTypes('Accepted')[0]!.data;
    for (const positive of [undefined, '', 'true']) expect(said(positive)).toMatchObject({ positive: true });
    expect(said('false')).toMatchObject({ positive: false, was_positive: null, by: POSTER, note: 'Well done.' });
  });

  test('needs no note', () => {
    const [fact] = given(Hire, ...read)
      .when(by(POSTER, { note: '' }))
      .thenTypes('Accepted');
    expect(fact!.data).toMatchObject({ note: null });
  });

  test('again replaces the verdict and records the earlier verdict', () => {
    const [fact] = given(Hire, ...read, world.told('Accepted'))
      .when(by(POSTER, { positive: 'false' }))
      .thenTypes('Accepted');
    expect(fact!.data).toMatchObject({ positive: false, was_positive: true });
  });

  test('again without a verdict keeps the earlier verdict', () => {
    const [fact] = given(Hire, ...read, world.told('Accepted', { positive: false }))
      .when(by(POSTER, { note: 'Better than I thought.' }))
      .thenTypes('Accepted');
    expect(fact!.data).toMatchObject({ note: 'Better than I thought.', positive: false, was_positive: false });
  });

  test('works on a paid hire, and by the house on its own role', () => {
    given(Hire, ...read, world.paid)
      .when(by(POSTER))
      .thenTypes('Accepted');
    given(Hire, world.hired({ poster: null }), world.delivered())
      .when(by(SYSTEM_ACCOUNT_ID))
      .thenTypes('Accepted');
  });

  test('is refused on a hire that does not exist', () => {
    given(Hire).when(by(POSTER)).thenRefused('not_found', 'hire');
  });

  test('is refused unless the poster accepts', () => {
    for (const actor of [WORKER, STRANGER])
      given(Hire, ...read)
        .when(by(actor))
        .thenRefused('not_the_poster');
  });

  test('is refused before a delivery, and on a hire that ended without a delivery', () => {
    given(Hire, world.hired()).when(by(POSTER)).thenRefused('not_delivered');
    given(Hire, world.hired(), world.hireEnded()).when(by(POSTER)).thenRefused('hire_ended');
  });

  test('checks a given digest against the latest delivery', () => {
    given(Hire, ...read)
      .when(by(POSTER, { digest: sha256Hex('bonjour') }))
      .thenTypes('Accepted');
    given(Hire, ...read)
      .when(by(POSTER, { digest: sha256Hex('adieu') }))
      .thenRefused('delivery_changed', 'digest');
  });
});

test('a repeated request accepts once and returns the same response', async () => {
  const stores = await storesWithHire(...read);
  const run = running(accept, stores);
  const request = stores.request(POSTER);
  const first = await run(sent, request);
  expect(await run(sent, request)).toEqual(first);
  expect(first.body).toEqual({ acceptance: { at: NOW, by: POSTER, note: 'Well done.' } });
  expect(stores.types(Hire.streamName(HIRE)).slice(3)).toEqual(['Accepted']);
});
