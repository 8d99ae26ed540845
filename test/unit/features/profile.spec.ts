import { describe, expect, test } from '@jest/globals';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { parseFields } from '#libs/validation/request-class.js';
import { updateProfile } from '#libs/features/profile/update-profile.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { asEvents, given } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, STRANGER } = world;
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
  test.each([...TEXTS, ...LINKS])('%s is set, and cleared by an empty value', name => {
    expect(changes({ [name]: 'https://a.example/x' })).toEqual({ muse_id: POSTER, [name]: 'https://a.example/x' });
    expect(changes({ [name]: '' }, { [name]: 'Some' })).toEqual({ muse_id: POSTER, [name]: null });
  });

  test.each(FLAGS)('%s is on, or off; an empty value is off', name => {
    expect(changes({ [name]: 'true' }, { [name]: false })).toEqual({ muse_id: POSTER, [name]: true });
    for (const off of ['false', ''])
      expect(changes({ [name]: off }, { [name]: true })).toEqual({ muse_id: POSTER, [name]: false });
  });

  test('addresses are set and cleared', () => {
    const addresses = { payout_address: WALLET, lightning_address: 'me@pay.example' };
    expect(changes(addresses)).toEqual({ muse_id: POSTER, ...addresses });
    const cleared = { payout_address: null, lightning_address: null };
    expect(changes({ payout_address: '', lightning_address: '' }, addresses)).toEqual({ muse_id: POSTER, ...cleared });
  });

  test('name and headline are kept without the spaces around them', () => {
    const tidied = { name: 'Ada L', headline: 'Counts' };
    expect(changes({ name: ' Ada  L ', headline: ' Counts ' })).toEqual({ muse_id: POSTER, ...tidied });
  });

  test('skills are a list, and services what they say', () => {
    expect(changes({ skills: 'OCR, french,ocr' })).toEqual({ muse_id: POSTER, skills: ['ocr', 'french'] });
    const offer = { title: 'A page', done: 'A page in French', price_usd: '10', turnaround_hours: 24 };
    const services = [{ ...offer, skills: ['french'] }];
    expect(changes({ services: JSON.stringify(services) })).toEqual({ muse_id: POSTER, services });
    const none = { muse_id: POSTER, skills: [], services: [] };
    expect(changes({ skills: '', services: '' }, { skills: ['ocr'], services })).toEqual(none);
  });

  test('what is left out keeps its value: nothing is written for nothing', () => {
    given(Muse, world.registered).when(by({})).thenNothing();
  });

  test('what stands there already is no change', () => {
    const offer = { title: 'A page', done: 'A page in French', price_usd: '10', turnaround_hours: 24 };
    const services = [{ ...offer, skills: ['french'] }];
    const said = { name: 'Ada L', bio: 'Counts.', skills: ['ocr'], services, daily: true, payout_address: WALLET };
    const same = {
      name: ' Ada  L ',
      bio: 'Counts.',
      skills: 'OCR, ocr',
      services: JSON.stringify(services),
      daily: 'true',
      payout_address: WALLET,
      picture_url: '',
    };
    const stands = ProfileUpdated({ muse_id: POSTER, ...said });
    given(Muse, world.registered, world.joined, stands).when(by(same)).thenNothing();
    given(Muse, world.registered, world.joined, stands)
      .when(by({ ...same, bio: 'Counts more.' }))
      .then(ProfileUpdated({ muse_id: POSTER, bio: 'Counts more.' }));
  });

  test('who is not shown what was cleared takes it from the event that it stood there', () => {
    const cleared = updateProfile.given!.said({}, {
      event: { data: { muse_id: POSTER, bio: null, services: [], kind: 'poet' } },
    } as never);
    expect(cleared).toEqual(['bio', 'services']);
    const decide = decides(updateProfile, { bio: '', about: '' }, POSTER, { given: cleared }) as (muse: Muse) => Fact[];
    given(Muse, world.told('Registered', { bio: null }), world.joined)
      .when(decide)
      .then(ProfileUpdated({ muse_id: POSTER, bio: null }));
  });

  test('a name and a headline there always is', () => {
    given(Muse, world.registered)
      .when(by({ name: '' }))
      .thenRefused('name', 'name');
    given(Muse, world.registered)
      .when(by({ headline: '' }))
      .thenRefused('headline', 'headline');
  });

  test('somebody whom nobody knows has no profile', () => {
    given(Muse)
      .when(by({ bio: 'Hello.' }))
      .thenRefused('unknown_muse');
  });
});

describe('a field that is wrong is named', () => {
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

  test.each(wrong)('%s: %j', async (name, value) => {
    const checked = Promise.resolve().then(() => parseFields(updateProfile.request, { [name]: value }));
    expect(await refusalOf(checked)).toMatchObject({ code: name, details: { field: name } });
  });
});

describe('the handler', () => {
  async function storesWithMuse() {
    const stores = new InMemoryStores();
    const stream = Muse.streamName(POSTER);
    await stores.journal.append(stream, 'none', asEvents([world.registered, world.joined], stream));
    return { stores, stream, update: running(updateProfile, stores, { claims: stores.claims }) };
  }

  test('the same request twice changes once and answers the same', async () => {
    const { stores, stream, update } = await storesWithMuse();
    const [sent, context] = [{ name: 'Ada', bio: '', payout_address: WALLET }, stores.request(POSTER)];
    const first = await update(sent, context);
    expect(await update(sent, context)).toEqual(first);
    const changed = ['bio', 'name', 'payout_address'];
    expect(first.body).toEqual({ profile: `/api/muse/${POSTER}`, changed, wage_wallet: WALLET });
    expect(stores.types(stream)).toEqual(['Registered', 'Joined', 'ProfileUpdated']);
  });

  test('what is private stands nowhere in the clear', async () => {
    const { stores, update } = await storesWithMuse();
    await update({ payout_address: WALLET }, stores.request(POSTER));
    expect(JSON.stringify(stores.log.events)).not.toContain(WALLET);
  });

  test('a request that changes nothing is answered and writes nothing', async () => {
    const { stores, stream, update } = await storesWithMuse();
    const { body, position } = await update({}, stores.request(POSTER));
    expect([body['changed'], position]).toEqual([[], stores.log.events.at(-1)!.position]);
    expect(stores.types(stream)).toEqual(['Registered', 'Joined']);
  });

  test('a name that another has is refused, and is free again once that one has another name', async () => {
    const { stores, stream, update } = await storesWithMuse();
    const other = Muse.streamName(STRANGER);
    const stranger = [world.told('Registered', { muse_id: STRANGER }), world.told('Joined', { muse_id: STRANGER })];
    await stores.journal.append(other, 'none', asEvents(stranger, other));
    const rename = (actor: string, name: string) => update({ name }, stores.request(actor));
    await rename(STRANGER, 'Ada');
    expect(await refusalOf(rename(POSTER, 'ＡＤＡ'))).toMatchObject({ code: 'name_taken', details: { field: 'name' } });
    expect(await refusalOf(rename(POSTER, 'Operator'))).toMatchObject({ code: 'name_taken' });
    await rename(STRANGER, 'Eve');
    await rename(POSTER, 'Ada');
    expect(stores.types(stream)).toEqual(['Registered', 'Joined', 'ProfileUpdated']);
  });

  test('one’s own name in other letters is not taken', async () => {
    const { stores, update } = await storesWithMuse();
    await update({ name: 'Ada' }, stores.request(POSTER));
    const { body } = await update({ name: 'ADA' }, stores.request(POSTER));
    expect(body).toMatchObject({ changed: ['name'] });
  });
});
