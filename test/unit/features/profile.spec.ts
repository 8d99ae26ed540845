import { describe, expect, test } from '@jest/globals';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { parseFields } from '#libs/validation/request-class.js';
import { updateProfile } from '#libs/features/identity/update-profile.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { asEvents, given } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import * as world from './worlds.js';

const { POSTER } = world;
const by = (sent: RequestFields) => decides(updateProfile, sent, POSTER, { given: [] }) as (muse: Muse) => Fact[];
const changes = (sent: RequestFields, before: object = {}) =>
  given(Muse, world.registered, world.joined, ProfileUpdated({ muse_id: POSTER, ...before }))
    .when(by(sent))
    .thenTypes('ProfileUpdated')[0]!.data;

const TEXTS = ['bio', 'about', 'kind', 'from', 'human_handle'] as const;
const LINKS = ['avatar_url', 'picture_url', 'banner_url'] as const;
const FLAGS = ['open_to_work', 'job_alerts', 'daily', 'match'] as const;
const WALLET = `0x${'6'.repeat(40)}`;

describe('a profile', () => {
  test.each([...TEXTS, ...LINKS])('sets %s and clears it by an empty value', name => {
    expect(changes({ [name]: 'https://a.example/x' })).toEqual({ muse_id: POSTER, [name]: 'https://a.example/x' });
    expect(changes({ [name]: '' }, { [name]: 'Some' })).toEqual({ muse_id: POSTER, [name]: null });
  });

  test.each(FLAGS)('sets %s to true or false, and an empty value is false', name => {
    expect(changes({ [name]: 'true' }, { [name]: false })).toEqual({ muse_id: POSTER, [name]: true });
    for (const off of ['false', ''])
      expect(changes({ [name]: off }, { [name]: true })).toEqual({ muse_id: POSTER, [name]: false });
  });

  test('sets and clears addresses', () => {
    const addresses = { payout_address: WALLET, lightning_address: 'me@pay.example' };
    expect(changes(addresses)).toEqual({ muse_id: POSTER, ...addresses });
    const cleared = { payout_address: null, lightning_address: null };
    expect(changes({ payout_address: '', lightning_address: '' }, addresses)).toEqual({ muse_id: POSTER, ...cleared });
  });

  test('trims the name and the headline', () => {
    const tidied = { name: 'Ada L', headline: 'Counts' };
    expect(changes({ name: ' Ada  L ', headline: ' Counts ' })).toEqual({ muse_id: POSTER, ...tidied });
  });

  test('parses skills and services', () => {
    expect(changes({ skills: 'OCR, french,ocr' })).toEqual({ muse_id: POSTER, skills: ['ocr', 'french'] });
    const offer = { title: 'A page', done: 'A page in French', price_usd: '10', turnaround_hours: 24 };
    const services = [{ ...offer, skills: ['french'] }];
    expect(changes({ services: JSON.stringify(services) })).toEqual({ muse_id: POSTER, services });
    const none = { muse_id: POSTER, skills: [], services: [] };
    expect(changes({ skills: '', services: '' }, { skills: ['ocr'], services })).toEqual(none);
  });

  test('writes nothing without a field', () => {
    given(Muse, world.registered).when(by({})).thenNothing();
  });

  test('writes nothing for a field that is unchanged', () => {
    const offer = { title: 'A page', done: 'A page in French', price_usd: '10', turnaround_hours: 24 };
    const services = [{ ...offer, skills: ['french'] }];
    const fields = { name: 'Ada L', bio: 'Counts.', skills: ['ocr'], services, daily: true, payout_address: WALLET };
    const same = {
      name: ' Ada  L ',
      bio: 'Counts.',
      skills: 'OCR, ocr',
      services: JSON.stringify(services),
      daily: 'true',
      payout_address: WALLET,
      picture_url: '',
    };
    const stands = ProfileUpdated({ muse_id: POSTER, ...fields });
    given(Muse, world.registered, world.joined, stands).when(by(same)).thenNothing();
    given(Muse, world.registered, world.joined, stands)
      .when(by({ ...same, bio: 'Counts more.' }))
      .then(ProfileUpdated({ muse_id: POSTER, bio: 'Counts more.' }));
  });

  test('a profile is replayed with the cleared fields of its event', () => {
    const cleared = updateProfile.given!.fromEvent({}, {
      event: { data: { muse_id: POSTER, bio: null, services: [], kind: 'poet' } },
    } as never);
    expect(cleared).toEqual(['bio', 'services']);
    const decide = decides(updateProfile, { bio: '', about: '' }, POSTER, { given: cleared }) as (muse: Muse) => Fact[];
    given(Muse, world.told('Registered', { bio: null }), world.joined)
      .when(decide)
      .then(ProfileUpdated({ muse_id: POSTER, bio: null }));
  });

  test('a profile cannot lose its name or headline', () => {
    given(Muse, world.registered)
      .when(by({ name: '' }))
      .thenRefused('name', 'name');
    given(Muse, world.registered)
      .when(by({ headline: '' }))
      .thenRefused('headline', 'headline');
  });

  test('a profile is refused for an unknown identity', () => {
    given(Muse)
      .when(by({ bio: 'Hello.' }))
      .thenRefused('unknown_muse');
  });
});

describe('an invalid profile field', () => {
  const wrong: [string, string][] = [
    ['name', 'x'],
    ['name', 'a\nb'],
    ['headline', 'x'.repeat(101)],
    ['bio', 'x'.repeat(201)],
    ['about', 'a\u0000b'],
    ['skills', 'a,b,c,d,e,f,g,h,i'],
    ['skills', 'x'.repeat(25)],
    ['open_to_work', 'yes'],
    ['match', '1'],
    ['avatar_url', 'http://a.example/x'],
    ['banner_url', 'javascript:alert(1)'],
    ['payout_address', '0x12'],
    ['lightning_address', 'nobody'],
    ['services', 'no JSON'],
    ['kind', 'x'.repeat(41)],
    ['human_handle', 'x'.repeat(81)],
  ];

  test.each(wrong)('is named in the refusal: %s = %j', async (name, value) => {
    const checked = Promise.resolve().then(() => parseFields(updateProfile.request, { [name]: value }));
    expect(await refusalOf(checked)).toMatchObject({ code: name, details: { field: name } });
  });
});

describe('the profile command', () => {
  async function storesWithMuse() {
    const stores = new InMemoryStores();
    const stream = Muse.streamName(POSTER);
    await stores.journal.append(stream, 'none', asEvents([world.registered, world.joined], stream));
    return { stores, stream, update: running(updateProfile, stores, { claims: stores.claims }) };
  }

  test('stores no private value in clear', async () => {
    const { stores, update } = await storesWithMuse();
    await update({ payout_address: WALLET }, stores.request(POSTER));
    expect(JSON.stringify(stores.log.events)).not.toContain(WALLET);
  });

  test('succeeds and writes nothing if nothing changes', async () => {
    const { stores, stream, update } = await storesWithMuse();
    const { body, position } = await update({}, stores.request(POSTER));
    expect([body['changed'], position]).toEqual([[], stores.log.events.at(-1)!.position]);
    expect(stores.types(stream)).toEqual(['Registered', 'Joined']);
  });

  test('accepts the muse’s own name in another letter case', async () => {
    const { stores, update } = await storesWithMuse();
    await update({ name: 'Ada' }, stores.request(POSTER));
    const { body } = await update({ name: 'ADA' }, stores.request(POSTER));
    expect(body).toMatchObject({ changed: ['name'] });
  });
});
