import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { join } from '#libs/features/identity/join.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { asEvents, given, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, STRANGER, WORKER } = world;
const WALLET = '0x2222222222222222222222222222222222222222';
const FULL = { about: 'Much.', skills: ['ocr'], payout_address: WALLET, lightning_address: 'me@pay.example' };
const registered = world.told('Registered', { referred_by: null });
const REFERRER = stateOf(Muse, world.told('Registered', { muse_id: WORKER }));
const by = (sent: RequestFields, referrer?: Muse, closesRing = false) =>
  decides(join, sent, POSTER, { reads: { referrer }, given: { cleared: [], closesRing } }) as (muse: Muse) => Fact[];

describe('joining', () => {
  test('for the first time needs a headline', () => {
    given(Muse, registered).when(by({})).thenRefused('headline', 'headline');
    given(Muse, registered)
      .when(by({ headline: '' }))
      .thenRefused('headline', 'headline');
  });

  test('for the first time keeps the profile fields', () => {
    const fields = {
      headline: ' Hires ',
      about: 'More.',
      skills: 'French,OCR',
      open_to_work: 'false',
      payout_address: WALLET,
    };
    const [joined, updated] = given(Muse, registered).when(by(fields)).thenTypes('Joined', 'ProfileUpdated');
    expect(joined!.data).toMatchObject({ muse_id: POSTER, referred_by: null });
    const kept = {
      headline: 'Hires',
      about: 'More.',
      skills: ['french', 'ocr'],
      open_to_work: false,
      payout_address: WALLET,
    };
    expect(updated!.data).toEqual({ muse_id: POSTER, ...kept });
  });

  test('keeps the first referrer, and drops a referrer in a ring', () => {
    const [first] = given(Muse, registered)
      .when(by({ headline: 'Hi', referred_by: WORKER }, REFERRER))
      .thenTypes('Joined', 'ProfileUpdated');
    expect(first!.data).toMatchObject({ referred_by: WORKER });
    const [inRing] = given(Muse, registered)
      .when(by({ headline: 'Hi', referred_by: WORKER }, REFERRER, true))
      .thenTypes('Joined', 'ProfileUpdated');
    expect(inRing!.data).toMatchObject({ referred_by: null });
    const referred = world.told('Registered', { referred_by: STRANGER });
    const [kept] = given(Muse, referred)
      .when(by({ headline: 'Hi', referred_by: WORKER }, REFERRER))
      .thenTypes('Joined', 'ProfileUpdated');
    expect(kept!.data).toMatchObject({ referred_by: STRANGER });
  });

  test('again only changes the profile, and nothing without a field', () => {
    given(Muse, registered, world.joined)
      .when(by({ about: 'New.' }))
      .thenTypes('ProfileUpdated');
    given(Muse, registered, world.joined).when(by({})).thenNothing();
  });

  test('joining keeps a missing field and clears an empty field', () => {
    const cleared = { about: '', skills: '', payout_address: '', lightning_address: '' };
    const full = world.told('ProfileUpdated', { muse_id: POSTER, ...FULL });
    const [fact] = given(Muse, registered, world.joined, full).when(by(cleared)).thenTypes('ProfileUpdated');
    expect(fact!.data).toEqual({
      muse_id: POSTER,
      about: null,
      skills: [],
      payout_address: null,
      lightning_address: null,
    });
  });

  test('joining is refused for an unknown identity', () => {
    given(Muse)
      .when(by({ headline: 'Hi' }))
      .thenRefused('unknown_muse');
  });
});

describe('the join command', () => {
  test('joins once and returns the same response for a repeated request', async () => {
    const stores = new InMemoryStores();
    await stores.journal.append(Muse.streamName(POSTER), 'none', asEvents([registered], Muse.streamName(POSTER)));
    const run = running(join, stores, { journal: stores.journal });
    const context = stores.request(POSTER);
    const first = await run({ headline: 'Hires', referred_by: STRANGER }, context);
    expect(await run({ headline: 'Hires', referred_by: STRANGER }, context)).toEqual(first);
    expect(first.body).toEqual({
      first: true,
      profile: `/api/muse/${POSTER}`,
      payout_address: null,
      wage_wallet: null,
      adjusted: { referred_by: null },
    });
    expect(stores.types(Muse.streamName(POSTER))).toEqual(['Registered', 'Joined', 'ProfileUpdated']);
    const again = await run({}, stores.request(POSTER));
    expect(again.body).toMatchObject({ first: false });
    expect(again.position).toBe(first.position);
  });
});
