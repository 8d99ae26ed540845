import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { dispute } from '#libs/features/deliveries/dispute.js';
import { NOW } from '../../given.js';
import { decides, running, storesWithHire, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, STRANGER, WORKER } = world;
const REASON = 'The page is only half of what was asked for.';
const sent = { hire: String(HIRE), reason: REASON };
const by = (actor: string, changed: object = {}) => decides(dispute, { ...sent, ...changed }, actor);
const withdrawing = (actor: string) => by(actor, { reason: '', withdraw: 'true' });
const hired = [world.hired()];
const delivered = [...hired, world.delivered()];
const disputed = (actor: string, facts = delivered) => [...facts, world.disputed(actor)];
const withdrawn = [...disputed(WORKER, hired), world.told('DisputeWithdrawn')];

describe('disputing a hire', () => {
  testDecisions(Hire, { Disputed: { by: WORKER, reason: REASON, proves: null } }, [
    ['is open to the poster from the hire on', hired, by(POSTER), { Disputed: { by: POSTER } }],
    ['is open to the worker from the hire on', hired, by(WORKER), { Disputed: {} }],
    ['removes the skills if the poster disputes', delivered, by(POSTER), { Disputed: { by: POSTER, proves: false } }],
    ['keeps the skills if the worker disputes', delivered, by(WORKER), { Disputed: {} }],
    ['removes the skills only once', disputed(POSTER), by(POSTER), { Disputed: { by: POSTER, again: true } }],
    ['works on a hire that ended', [...hired, world.hireEnded()], by(WORKER), { Disputed: {} }],
    ['works on a paid hire', [...delivered, world.paid], by(WORKER), { Disputed: {} }],
    ['works after the other party has withdrawn', withdrawn, by(POSTER), { Disputed: { by: POSTER } }],
  ]);

  testRefusals(Hire, [
    ['on a hire that does not exist', [], by(POSTER), 'not_found', 'hire'],
    ['to a muse that is not a party', hired, by(STRANGER), 'not_a_party'],
    ['for an empty reason before anything else', [], by(STRANGER, { reason: '' }), 'reason', 'reason'],
    ['without a reason', hired, by(POSTER, { reason: undefined }), 'reason', 'reason'],
    ['while the other party disputes', disputed(WORKER), by(POSTER), 'already_disputed'],
  ]);
});

describe('withdrawing a dispute', () => {
  const restored = { by: POSTER, skills: ['french'], proves: true };
  testDecisions(Hire, {}, [
    ['restores the skills of a delivery', disputed(POSTER), withdrawing(POSTER), { DisputeWithdrawn: restored }],
    ['by the worker restores none', disputed(WORKER), withdrawing(WORKER), { DisputeWithdrawn: { proves: null } }],
    [
      'before a delivery restores none',
      disputed(POSTER, hired),
      withdrawing(POSTER),
      { DisputeWithdrawn: { by: POSTER, proves: null } },
    ],
  ]);

  testRefusals(Hire, [
    ['without a dispute', hired, withdrawing(WORKER), 'not_disputed'],
    ['for the dispute of the other party', disputed(POSTER), withdrawing(WORKER), 'not_disputed'],
    ['a second time', withdrawn, withdrawing(WORKER), 'not_disputed'],
  ]);
});

test('disputes once and returns the same response, even after a withdrawal', async () => {
  const stores = await storesWithHire(...delivered);
  const run = running(dispute, stores, stores);
  const request = stores.request(POSTER);
  const first = await run(sent, request);
  expect(await run(sent, request)).toEqual(first);
  expect(first.body).toEqual({ dispute: { by: POSTER, reason: REASON, at: NOW, state: 'open' } });
  const withdraw = { hire: String(HIRE), withdraw: 'true' };
  const withdrawal = stores.request(POSTER);
  const withdrawn = await run(withdraw, withdrawal);
  expect(await run(withdraw, withdrawal)).toEqual(withdrawn);
  expect(withdrawn.body).toMatchObject({ dispute: { reason: REASON, state: 'withdrawn' } });
  expect(await run(sent, request)).toEqual(first);
  expect(stores.types(Hire.streamName(HIRE)).slice(2)).toEqual(['Disputed', 'DisputeWithdrawn']);
});
