import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { EarlierLinked, Muse } from '#libs/domain/muse.js';
import { recheck } from '#libs/features/deliveries/recheck.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { IdCollision, sha256Hex } from '#libs/kernel/ids.js';
import { given, integers, stateOf } from '../../given.js';
import { decides, running, storesWithHire, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, HIRE, POSTER, STRANGER, WORKER } = world;
const ID = 310_000_000_002;
const FIRST = 310_000_000_001;
const DIGEST = sha256Hex('bonjour');
const sent = { hire: String(HIRE), result: 'held', scope: 'Read both pages.' };
const by = (actor: string, changed: object = {}, id = ID) =>
  decides(recheck, { ...sent, ...changed }, actor, { changed: { ids: { id: () => id } } });
const says = (result: 'held' | 'broke') => by(CHECKER, { result });
const unread = [world.hired(), world.delivered()];
const read = [...unread, world.deliveryRead()];
const again = [...read, world.delivered(2)];
const broke = [...read, world.rechecked({ result: 'broke' })];
const accepted = (positive: boolean) => [...read, world.told('Accepted', { positive })];
const byLinked = (earlier: string) => {
  const own = stateOf(
    Muse,
    world.told('Registered', { muse_id: CHECKER }),
    EarlierLinked({ muse_id: CHECKER, earlier }),
  );
  return decides(recheck, sent, CHECKER, { reads: { own } });
};
const usual = { Rechecked: { recheck: ID, scope: sent.scope, method: null, evidence_url: null } };

describe('rechecking a delivery', () => {
  const how = { out_of_scope: 'Spelling.', would_change: 'A third page.', method: 'By eye.' };
  testDecisions(Hire, usual, [
    [
      'records the delivery, its digest and the method',
      read,
      by(CHECKER, { ...how, evidence_url: '' }),
      { Rechecked: how },
    ],
    ['has no digest if the delivery was not read yet', unread, by(CHECKER), { Rechecked: { digest: null } }],
    [
      'again by the same muse replaces its recheck under the same id',
      [...read, world.rechecked()],
      says('broke'),
      { Rechecked: { recheck: FIRST, result: 'broke', replaces: 'held', proves: false } },
    ],
    [
      'again after a new delivery gets a new id',
      [...read, world.rechecked(), world.delivered(2)],
      by(CHECKER),
      { Rechecked: { delivery: 2, digest: null, supersedes: 'held' } },
    ],
    ['works on a paid delivery', [...read, world.paid], by(CHECKER), { Rechecked: {} }],
    [
      'is open to a muse linked to a third one',
      read,
      byLinked(STRANGER),
      { Rechecked: { recheck: expect.any(Number) } },
    ],
    ['accepts the digest of the delivery', read, by(CHECKER, { digest: DIGEST }), { Rechecked: {} }],
  ]);

  testRefusals(Hire, [
    ['on a hire that does not exist', [], by(CHECKER), 'not_found', 'hire'],
    ['to the poster', read, by(POSTER), 'not_a_third_party'],
    ['to the worker', read, by(WORKER), 'not_a_third_party'],
    ['to the house', [world.hired({ poster: null })], by(SYSTEM_ACCOUNT_ID), 'not_a_third_party'],
    ['to a later identity of the poster', read, byLinked(POSTER), 'with_itself'],
    ['to a later identity of the worker', read, byLinked(WORKER), 'with_itself'],
    ['before a delivery', [world.hired()], by(CHECKER), 'not_delivered'],
    ['on a hire that ended without a delivery', [world.hired(), world.hireEnded()], by(CHECKER), 'hire_ended'],
    ['for another digest', read, by(CHECKER, { digest: sha256Hex('adieu') }), 'delivery_changed', 'digest'],
    ['for the digest of an older delivery', again, by(CHECKER, { digest: DIGEST }), 'delivery_changed', 'digest'],
  ]);

  test('throws if another recheck of the hire has the id', () => {
    given(Hire, ...read, world.rechecked())
      .when(by(STRANGER, {}, FIRST))
      .thenThrows(IdCollision);
  });
});

describe('the proof of the skills', () => {
  testDecisions(Hire, usual, [
    ['ends with a broken delivery', read, says('broke'), { Rechecked: { result: 'broke', proves: false } }],
    ['does not change with a held one', read, says('held'), { Rechecked: {} }],
    [
      'returns if it held after all',
      broke,
      says('held'),
      { Rechecked: { recheck: FIRST, replaces: 'broke', proves: true } },
    ],
    ['ends only once', broke, says('broke'), { Rechecked: { recheck: FIRST, result: 'broke', replaces: 'broke' } }],
    ['stays after a positive acceptance', accepted(true), says('broke'), { Rechecked: { result: 'broke' } }],
    [
      'ends after a negative acceptance',
      accepted(false),
      says('broke'),
      { Rechecked: { result: 'broke', proves: false } },
    ],
    ['had ended with a dispute', [...read, world.disputed(POSTER)], says('broke'), { Rechecked: { result: 'broke' } }],
  ]);
});

describe('the recheck command', () => {
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
    const muse = { muse_id: CHECKER };
    await stores.append(
      Muse.streamName(CHECKER),
      ...['Registered', 'Joined', 'Suspended'].map(type => world.told(type, muse)),
    );
    await expect(running(recheck, stores)(sent, request)).rejects.toMatchObject({ code: 'suspended' });
    expect(stores.types(Hire.streamName(HIRE))).toHaveLength(3);
  });

  test('uses the next derived id if another recheck has the first id', async () => {
    const stores = await storesWithHire(...read, world.rechecked({ recheck: integers.id('recheck', 'a request') }));
    const { body } = await running(recheck, stores)(sent, stores.request(STRANGER, { requestKey: 'a request' }));
    expect(body).toMatchObject({ recheck: integers.id('recheck', 'a request', 1) });
  });
});
