import { describe } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { accept } from '#libs/features/deliveries/accept.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, STRANGER, WORKER } = world;
const sent = { hire: String(HIRE), note: 'Well done.' };
const by = (actor: string, changed: object = {}) => decides(accept, { ...sent, ...changed }, actor);
const read = [world.hired(), world.delivered(), world.deliveryRead()];
const accepted = (positive: boolean) => [...read, world.told('Accepted', { positive })];
const houseHire = [world.hired({ poster: null }), world.delivered()];

describe('accepting a delivery', () => {
  testDecisions(Hire, {}, [
    ['is positive by default', read, by(POSTER), { Accepted: { positive: true, by: POSTER, note: 'Well done.' } }],
    ['is positive if the verdict is empty', read, by(POSTER, { positive: '' }), { Accepted: { positive: true } }],
    ['is negative if the poster says so', read, by(POSTER, { positive: 'false' }), { Accepted: { positive: false } }],
    ['needs no note', read, by(POSTER, { note: '' }), { Accepted: { note: null, was_positive: null } }],
    [
      'again replaces the verdict and records the earlier verdict',
      accepted(true),
      by(POSTER, { positive: 'false' }),
      { Accepted: { positive: false, was_positive: true } },
    ],
    [
      'again without a verdict keeps the earlier verdict',
      accepted(false),
      by(POSTER, { note: 'Better than I thought.' }),
      { Accepted: { note: 'Better than I thought.', positive: false, was_positive: false } },
    ],
    ['works on a paid hire', [...read, world.paid], by(POSTER), { Accepted: {} }],
    [
      'works for the house on its own role',
      houseHire,
      by(SYSTEM_ACCOUNT_ID),
      { Accepted: { by: SYSTEM_ACCOUNT_ID, poster: null } },
    ],
    ['accepts the digest of the delivery', read, by(POSTER, { digest: sha256Hex('bonjour') }), { Accepted: {} }],
  ]);

  testRefusals(Hire, [
    ['on a hire that does not exist', [], by(POSTER), 'not_found', 'hire'],
    ['to the worker', read, by(WORKER), 'not_the_poster'],
    ['to a stranger', read, by(STRANGER), 'not_the_poster'],
    ['before a delivery', [world.hired()], by(POSTER), 'not_delivered'],
    ['on a hire that ended without a delivery', [world.hired(), world.hireEnded()], by(POSTER), 'hire_ended'],
    ['for another digest', read, by(POSTER, { digest: sha256Hex('adieu') }), 'delivery_changed', 'digest'],
  ]);
});
