import { describe, expect, test } from '@jest/globals';
import { type KnownMuse, Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { quickstart } from '#libs/features/onboarding/quickstart.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { ID_ATTEMPTS_MAX, IdCollision, randomRequestKey, identifyRequest, sha256Hex } from '#libs/kernel/ids.js';
import { asEvents, given, NOW, stateOf } from '../../given.js';
import { refusalOf } from '../in-memory-stores.js';
import { decides } from './deciding.js';
import { Reception } from './identity.js';
import * as world from './worlds.js';

const { STRANGER } = world;
const REFERRER = stateOf(Muse, world.registered);
const made = {
  name: 'Ada',
  email: 'ada-1234@mail.invalid',
  next: [],
  token: 'token',
  issued: { hash: sha256Hex('token'), expires_at: NOW + DAY_MS },
};
const by = (sent: RequestFields) =>
  decides(quickstart, sent, STRANGER, { reads: { referrer: REFERRER }, given: made }) as (muse: Muse) => Fact[];

describe('a quickstart', () => {
  test('registers, joins and issues a token in one step', () => {
    const facts = given(Muse)
      .when(by({ name: 'Ada', headline: 'Counts' }))
      .thenTypes('Registered', 'Joined', 'TokenIssued');
    const who = { muse_id: STRANGER, referred_by: (REFERRER as KnownMuse).muse_id };
    expect(facts[0]!.data).toMatchObject({ ...who, name: 'Ada', headline: 'Counts', public_key: null, src: null });
    expect(facts[1]!.data).toMatchObject(who);
    expect(facts[2]!.data).toEqual({ muse_id: STRANGER, ...made.issued });
  });

  test('is open to work by default and subscribes to nothing', () => {
    const [unsaid] = given(Muse)
      .when(by({ name: 'Ada' }))
      .thenTypes('Registered', 'Joined', 'TokenIssued');
    const quiet = { job_alerts: false, daily: false, match: false };
    expect(stateOf(Muse, unsaid!)).toMatchObject({ open_to_work: true, ...quiet });
    const fields = { name: 'Ada', open_to_work: 'false', job_alerts: 'true', daily: '' };
    const [registered] = given(Muse).when(by(fields)).thenTypes('Registered', 'Joined', 'TokenIssued');
    expect(stateOf(Muse, registered!)).toMatchObject({ open_to_work: false, ...quiet, job_alerts: true });
  });

  test('stores empty texts as null', () => {
    const [fact] = given(Muse)
      .when(by({ name: 'Ada', bio: '', about: 'More.', from: '' }))
      .thenTypes('Registered', 'Joined', 'TokenIssued');
    expect(stateOf(Muse, fact!)).toMatchObject({ bio: null, about: 'More.', from: null, avatar_url: null });
  });

  test('throws if its id is taken', () => {
    given(Muse, world.registered)
      .when(by({ name: 'Ada' }))
      .thenThrows(IdCollision);
  });

  test('treats a stream with only a lost claim as empty', () => {
    given(Muse, world.told('ClaimLost'))
      .when(by({ name: 'Ada' }))
      .thenTypes('Registered', 'Joined', 'TokenIssued');
  });
});

describe('the quickstart command', () => {
  test('refuses a body without name, headline, bio and kind', async () => {
    const stores = new Reception();
    const empty: RequestFields[] = [{ skills: 'ocr' }, { headline: ' ', bio: '', kind: ' ' }];
    for (const sent of empty) {
      expect(await refusalOf(stores.quickstart(sent))).toMatchObject({ code: 'name', details: { field: 'name' } });
    }
    expect(stores.log.events).toEqual([]);
  });

  test('returns a token, and the log holds only its hash', async () => {
    const stores = new Reception();
    const { body } = await stores.quickstart({ name: 'Ada' });
    const token = body['token'] as string;
    expect(token).toMatch(/^service_tok_[A-Za-z0-9_-]{43}$/);
    const stored = JSON.stringify(stores.log.events);
    expect([stored.includes(token), stored.includes(sha256Hex(token))]).toEqual([false, true]);
  });

  test('makes one identity with the same token for a repeated request', async () => {
    const stores = new Reception();
    const context = stores.request('');
    const first = await stores.quickstart({ kind: 'translator' }, context);
    expect(await stores.quickstart({ kind: 'translator' }, context)).toEqual(first);
    expect(stores.muses).toHaveLength(1);
    expect(stores.types(stores.muses[0]!)).toEqual(['Registered', 'Joined', 'TokenIssued']);
  });

  test('finds its identity again even if a taken generated name is free now', async () => {
    const stores = new Reception();
    const holder = (await stores.quickstart({ name: 'Paints old maps' })).body['muse_id'] as string;
    const context = stores.request('');
    const first = await stores.quickstart({ headline: 'Paints old maps' }, context);
    const renaming = [ProfileUpdated({ muse_id: holder, name: 'Eve' })];
    await stores.journal.append(Muse.streamName(holder), 'any', asEvents(renaming, Muse.streamName(holder)));
    expect(await stores.quickstart({ headline: 'Paints old maps' }, context)).toEqual(first);
    expect(stores.muses).toEqual([holder, first.body['muse_id']].map(museId => Muse.streamName(museId as string)));
  });

  test('skips the search for an earlier identity if the request cannot repeat', async () => {
    const stores = new Reception();
    const reads = async (key: string) => {
      stores.log.faults.calls.length = 0;
      await stores.quickstart({ kind: 'poet' }, stores.request('', identifyRequest(key)));
      return stores.log.faults.calls.filter(call => call === 'read').length;
    };
    expect((await reads('idempotency/1')) - (await reads(randomRequestKey('1')))).toBe(ID_ATTEMPTS_MAX);
  });

  test('makes two identities with two tokens for two requests', async () => {
    const stores = new Reception();
    const answers = await Promise.all([
      stores.quickstart({ kind: 'translator' }),
      stores.quickstart({ kind: 'translator' }),
    ]);
    expect(new Set(answers.map(({ body }) => body['muse_id'])).size).toBe(2);
    expect(new Set(answers.map(({ body }) => body['token'])).size).toBe(2);
  });

  test('the quickstart command reports adjusted fields', async () => {
    const long = 'x'.repeat(120);
    const { body } = await new Reception().quickstart({ name: 'Ada  L', headline: long, referred_by: STRANGER });
    expect(body['adjusted']).toEqual({ name: 'Ada L', headline: long.slice(0, 100), referred_by: null });
  });

  test('cuts a bio after 200 code points and reports the cut text', async () => {
    const stores = new Reception();
    const bio = `${' '.repeat(150)}${'𝄞'.repeat(60)}`;
    const cut = `${' '.repeat(150)}${'𝄞'.repeat(50)}`;
    const { body } = await stores.quickstart({ name: 'Clef', headline: 'Sings', bio });
    expect(body['adjusted']).toEqual({ bio: cut });
    const { state } = await stores.journal.load(Muse.source(body['muse_id'] as string));
    expect(state).toMatchObject({ bio: cut });
    const exact = await stores.quickstart({ name: 'Clef two', headline: 'Sings', bio: cut });
    expect(exact.body).not.toHaveProperty('adjusted');
  });

  test('the quickstart command reports no adjustment for accepted fields', async () => {
    const { body } = await new Reception().quickstart({ name: 'Ada', headline: 'Counts' });
    expect(body).not.toHaveProperty('adjusted');
    expect(body).not.toHaveProperty('skills_dropped');
  });

  test('drops and lists invalid skills, and skills after the eighth', async () => {
    const skills = 'ocr,!!,French,a1,b1,c1,d1,e1,f1,g1';
    const { body } = await new Reception().quickstart({ name: 'Ada', skills });
    expect(body['skills_dropped']).toEqual(['!!', 'g1']);
  });

  test('the quickstart command keeps a known referrer', async () => {
    const stores = new Reception();
    const referred_by = (await stores.quickstart({ name: 'Ada' })).body['muse_id'] as string;
    const { body } = await stores.quickstart({ name: 'Bob', headline: 'Hi', referred_by });
    expect(body).not.toHaveProperty('adjusted');
    expect(stores.log.of(Muse.streamName(body['muse_id'] as string))[1]!.data).toMatchObject({ referred_by });
  });

  test('refuses a taken name with suggestions and a ready retry body', async () => {
    const stores = new Reception();
    await stores.quickstart({ name: 'Ada' });
    const { code, details } = await refusalOf(stores.quickstart({ name: 'ADA', kind: 'poet' }));
    const [suggestion, ...more] = details.more!['suggestions'] as string[];
    expect([code, details.field, more.length]).toEqual(['name_taken', 'name', 2]);
    expect(details.more!['retry']).toEqual({ body: { name: suggestion, kind: 'poet' } });
    const { body } = await stores.quickstart({ name: suggestion!, kind: 'poet' });
    expect(body).not.toHaveProperty('adjusted.name');
  });

  test('the quickstart command extends a generated name that is taken', async () => {
    const stores = new Reception();
    const names = [];
    for (let n = 0; n < 2; n += 1)
      names.push((await stores.quickstart({ headline: 'Paints old maps' })).body['adjusted']);
    expect(names[0]).toEqual({ name: 'Paints old maps' });
    expect(names[1]).toEqual({ name: expect.stringMatching(/^Paints old maps [a-z0-9]{4}$/) });
  });
});
