import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { EarlierLinked } from '#libs/domain/link-events.js';
import { Muse, Registered, Suspended } from '#libs/domain/muse.js';
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

describe('rechecking', () => {
  test('says which delivery was looked at, as what it was read, and how', () => {
    const how = { out_of_scope: 'Spelling.', would_change: 'A third page.', method: 'By eye.' };
    const [fact] = given(Hire, ...read)
      .when(by(CHECKER, { ...how, evidence_url: '' }))
      .thenTypes('Rechecked');
    const said = { recheck: ID, by: CHECKER, delivery: 1, result: 'held', replaces: null, digest: DIGEST };
    expect(fact!.data).toMatchObject({ ...said, ...how, evidence_url: null, poster: POSTER, worker: WORKER });
  });

  test('a delivery that was not read yet is rechecked without a digest', () => {
    const [fact] = given(Hire, ...read.slice(0, 2))
      .when(by(CHECKER))
      .thenTypes('Rechecked');
    expect(fact!.data).toMatchObject({ digest: null });
  });

  test('what the same muse says again of a delivery replaces what it said, under the same id', () => {
    const [fact] = given(Hire, ...read, world.rechecked())
      .when(by(CHECKER, { result: 'broke' }))
      .thenTypes('Rechecked');
    expect(fact!.data).toMatchObject({ recheck: FIRST, result: 'broke', replaces: 'held' });
  });

  test('a new version is rechecked anew', () => {
    const [fact] = given(Hire, ...read, world.rechecked(), world.delivered(2))
      .when(by(CHECKER))
      .thenTypes('Rechecked');
    expect(fact!.data).toMatchObject({ recheck: ID, delivery: 2, replaces: null });
  });

  test('takes the skills away if it broke and the delivery was not accepted as positive', () => {
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

  test('a paid delivery is rechecked too', () => {
    given(Hire, ...read, world.paid)
      .when(by(CHECKER))
      .thenTypes('Rechecked');
  });

  test('a hire that does not exist is not rechecked', () => {
    given(Hire).when(by(CHECKER)).thenRefused('not_found', 'hire');
  });

  test('poster and worker do not recheck their own hire, nor the house its own', () => {
    for (const party of [POSTER, WORKER])
      given(Hire, ...read)
        .when(by(party))
        .thenRefused('not_a_third_party');
    given(Hire, world.hired({ poster: null }), world.delivered())
      .when(by(SYSTEM_ACCOUNT_ID))
      .thenRefused('not_a_third_party');
  });

  test('nor does who counts for one of the two', () => {
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

  test('nothing is rechecked before a delivery, nor on a hire that ended without one', () => {
    given(Hire, world.hired()).when(by(CHECKER)).thenRefused('not_delivered');
    given(Hire, world.hired(), world.hireEnded()).when(by(CHECKER)).thenRefused('hire_ended');
  });

  test('a digest that the checker names is that of the latest delivery', () => {
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

  test('a recheck’s id that is another’s of the hire is not used', () => {
    given(Hire, ...read, world.rechecked())
      .when(by(STRANGER, {}, FIRST))
      .thenThrows(IdCollision);
  });
});

describe('the verb', () => {
  test('the same request twice rechecks once and answers the same', async () => {
    const stores = await storesWithHire(...read);
    const run = running(recheck, stores);
    const request = stores.request(CHECKER);
    const first = await run(sent, request);
    expect(await run(sent, request)).toEqual(first);
    expect(first.body).toMatchObject({ settlement: 'rechecked', check_counts: { held: 1, broke: 0 } });
    expect(stores.types(Hire.streamName(HIRE)).slice(3)).toEqual(['Rechecked']);
  });

  test('what two muses say is counted once each, whatever they said before', async () => {
    const stores = await storesWithHire(...read);
    const run = running(recheck, stores);
    const say = (actor: string, result: 'held' | 'broke') => run({ ...sent, result }, stores.request(actor));
    await say(CHECKER, 'held');
    await say(STRANGER, 'held');
    expect((await say(CHECKER, 'broke')).body).toMatchObject({ check_counts: { held: 1, broke: 1 } });
  });

  test('who was suspended since the request was let through is refused, by what its decision reads of it', async () => {
    const stores = await storesWithHire(...read);
    const request = stores.request(CHECKER);
    const checker = Muse.streamName(CHECKER);
    const registered = Registered({ ...WHO, email: 'c@mail.invalid', public_key: null, referred_by: null, src: null });
    await stores.journal.append(checker, 'any', asEvents([registered, Suspended({ muse_id: CHECKER })], checker));
    await expect(running(recheck, stores)(sent, request)).rejects.toMatchObject({ code: 'suspended' });
    expect(stores.types(Hire.streamName(HIRE))).toHaveLength(3);
  });

  test('a derived id that another muse’s recheck has makes room for the next one', async () => {
    const stores = await storesWithHire(...read, world.rechecked({ recheck: integers.id('recheck', 'a request') }));
    const { body } = await running(recheck, stores)(sent, stores.request(STRANGER, { requestKey: 'a request' }));
    expect(body).toMatchObject({ recheck: integers.id('recheck', 'a request', 1) });
  });
});
