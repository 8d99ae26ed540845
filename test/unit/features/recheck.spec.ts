import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { EarlierLinked, Muse, Registered, Suspended } from '#libs/domain/muse.js';
import { recheck } from '#libs/features/hires/recheck.js';
import type { Fact } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { IdCollision, sha256Hex } from '#libs/kernel/ids.js';
import { asEvents, given, integers, stateOf } from '../../given.js';
import { decides, running } from './deciding.js';
import { storesWithHire } from './hires.js';
import * as world from './worlds.js';

const { CHECKER, HIRE, POSTER, STRANGER, WORKER } = world;
const ID = 310_000_000_002;
const FIRST = 310_000_000_001;
const DIGEST = sha256Hex('bonjour');
const WHO = { muse_id: CHECKER, name: 'Checker', headline: 'Reads twice' };
const sent = { hire: String(HIRE), result: 'held', scope: 'Read both pages.' };
const by = (actor: string, changed: object = {}, id = ID) =>
  decides(recheck, { ...sent, ...changed }, actor, { changed: { ids: { id: () => id } } });
const read = [world.hired(), world.delivered(), world.deliveryRead()];

describe('rechecking a delivery', () => {
  test('records the delivery, its digest and the method', () => {
    const how = { out_of_scope: 'Spelling.', would_change: 'A third page.', method: 'By eye.' };
    const [fact] = given(Hire, ...read)
      .when(by(CHECKER, { ...how, evidence_url: '' }))
      .thenTypes('Rechecked');
    const said = { recheck: ID, by: CHECKER, delivery: 1, result: 'held', replaces: null, digest: DIGEST };
    expect(fact!.data).toMatchObject({ ...said, ...how, evidence_url: null, poster: POSTER, worker: WORKER });
  });

  test('has no digest if the delivery was not read yet', () => {
    const [fact] = given(Hire, ...read.slice(0, 2))
      .when(by(CHECKER))
      .thenTypes('Rechecked');
    expect(fact!.data).toMatchObject({ digest: null });
  });

  test('again by the same muse replaces its recheck under the same id', () => {
    const [fact] = given(Hire, ...read, world.rechecked())
      .when(by(CHECKER, { result: 'broke' }))
      .thenTypes('Rechecked');
    expect(fact!.data).toMatchObject({ recheck: FIRST, result: 'broke', replaces: 'held' });
  });

  test('again after a new delivery gets a new id', () => {
    const [fact] = given(Hire, ...read, world.rechecked(), world.delivered(2))
      .when(by(CHECKER))
      .thenTypes('Rechecked');
    expect(fact!.data).toMatchObject({ recheck: ID, delivery: 2, replaces: null });
  });

  test('removes the skills if it broke without a positive acceptance', () => {
    const proves = (result: string, ...facts: Fact[]) =>
      given(Hire, ...read, ...facts)
        .when(by(CHECKER, { result }))
        .thenTypes('Rechecked')[0]!.data;
    const broke = world.rechecked({ result: 'broke' });
    expect(proves('broke')).toMatchObject({ skills: ['french'], proves: false });
    expect(proves('held')).toMatchObject({ proves: null });
    expect(proves('held', broke)).toMatchObject({ skills: ['french'], proves: true });
    expect(proves('broke', broke)).toMatchObject({ proves: null });
    expect(proves('broke', world.told('Accepted', { positive: true }))).toMatchObject({ proves: null });
    expect(proves('broke', world.told('Accepted', { positive: false }))).toMatchObject({ proves: false });
    expect(proves('broke', world.disputed(POSTER))).toMatchObject({ proves: null });
  });

  test('works on a paid delivery', () => {
    given(Hire, ...read, world.paid)
      .when(by(CHECKER))
      .thenTypes('Rechecked');
  });

  test('is refused on a hire that does not exist', () => {
    given(Hire).when(by(CHECKER)).thenRefused('not_found', 'hire');
  });

  test('is refused to the poster, the worker and the house on its own hire', () => {
    for (const party of [POSTER, WORKER])
      given(Hire, ...read)
        .when(by(party))
        .thenRefused('not_a_third_party');
    given(Hire, world.hired({ poster: null }), world.delivered())
      .when(by(SYSTEM_ACCOUNT_ID))
      .thenRefused('not_a_third_party');
  });

  test('is refused to a linked identity of a party', () => {
    const ofSomebody = (earlier: string) =>
      stateOf(Muse, world.told('Registered', { muse_id: CHECKER }), EarlierLinked({ muse_id: CHECKER, earlier }));
    const checks = (earlier: string) => decides(recheck, sent, CHECKER, { reads: { own: ofSomebody(earlier) } });
    for (const party of [POSTER, WORKER])
      given(Hire, ...read)
        .when(checks(party))
        .thenRefused('not_a_third_party');
    given(Hire, ...read)
      .when(checks(STRANGER))
      .thenTypes('Rechecked');
  });

  test('is refused before a delivery, and on a hire that ended without a delivery', () => {
    given(Hire, world.hired()).when(by(CHECKER)).thenRefused('not_delivered');
    given(Hire, world.hired(), world.hireEnded()).when(by(CHECKER)).thenRefused('hire_ended');
  });

  test('checks a given digest against the latest delivery', () => {
    given(Hire, ...read)
      .when(by(CHECKER, { digest: DIGEST }))
      .thenTypes('Rechecked');
    given(Hire, ...read)
      .when(by(CHECKER, { digest: sha256Hex('adieu') }))
      .thenRefused('delivery_changed', 'digest');
    given(Hire, ...read, world.delivered(2))
      .when(by(CHECKER, { digest: DIGEST }))
      .thenRefused('delivery_changed', 'digest');
  });

  test('throws if another recheck of the hire has the id', () => {
    given(Hire, ...read, world.rechecked())
      .when(by(STRANGER, {}, FIRST))
      .thenThrows(IdCollision);
  });
});

describe('the recheck command', () => {
  test('rechecks once and returns the same response for a repeated request', async () => {
    const stores = await storesWithHire(...read);
    const run = running(recheck, stores);
    const request = stores.request(CHECKER);
    const first = await run(sent, request);
    expect(await run(sent, request)).toEqual(first);
    expect(first.body).toMatchObject({ settlement: 'rechecked', check_counts: { held: 1, broke: 0 } });
    expect(stores.types(Hire.streamName(HIRE)).slice(3)).toEqual(['Rechecked']);
  });

  test('counts the latest recheck of each muse', async () => {
    const stores = await storesWithHire(...read);
    const run = running(recheck, stores);
    const say = (actor: string, result: 'held' | 'broke') => run({ ...sent, result }, stores.request(actor));
    await say(CHECKER, 'held');
    await say(STRANGER, 'held');
    expect((await say(CHECKER, 'broke')).body).toMatchObject({ check_counts: { held: 1, broke: 1 } });
  });

  test('refuses a muse that was suspended after its request was admitted', async () => {
    const stores = await storesWithHire(...read);
    const request = stores.request(CHECKER);
    const checker = Muse.streamName(CHECKER);
    const registered = Registered({ ...WHO, email: 'c@mail.invalid', public_key: null, referred_by: null, src: null });
    await stores.journal.append(checker, 'any', asEvents([registered, Suspended({ muse_id: CHECKER })], checker));
    await expect(running(recheck, stores)(sent, request)).rejects.toMatchObject({ code: 'suspended' });
    expect(stores.types(Hire.streamName(HIRE))).toHaveLength(3);
  });

  test('uses the next derived id if another recheck has the first id', async () => {
    const stores = await storesWithHire(...read, world.rechecked({ recheck: integers.id('recheck', 'a request') }));
    const { body } = await running(recheck, stores)(sent, stores.request(STRANGER, { requestKey: 'a request' }));
    expect(body).toMatchObject({ recheck: integers.id('recheck', 'a request', 1) });
  });
});
