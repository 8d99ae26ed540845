import { describe } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { recheckReply } from '#libs/features/deliveries/recheck-reply.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, HIRE, POSTER, STRANGER, WORKER } = world;
const RECHECK = 310_000_000_001;
const sent = { hire: String(HIRE), recheck: String(RECHECK), text: 'Thank you.' };
const by = (actor: string, changed: object = {}) => decides(recheckReply, { ...sent, ...changed }, actor);
const unknown = by(WORKER, { recheck: '310000000009' });
const rechecked = [world.hired(), world.delivered(), world.rechecked()];

describe('replying to a recheck', () => {
  const reply = { hire: HIRE, recheck: RECHECK, text: 'Thank you.' };
  testDecisions(Hire, {}, [
    ['is open to the poster', rechecked, by(POSTER), { RecheckReplied: { ...reply, by: POSTER } }],
    ['is open to the worker', rechecked, by(WORKER), { RecheckReplied: { ...reply, by: WORKER } }],
    ['works for an older delivery', [...rechecked, world.delivered(2)], by(WORKER), { RecheckReplied: reply }],
  ]);

  testRefusals(Hire, [
    ['on a hire that does not exist', [], by(WORKER), 'not_found', 'hire'],
    ['to the checker', rechecked, by(CHECKER), 'not_a_party'],
    ['to a stranger', rechecked, by(STRANGER), 'not_a_party'],
    ['for an unknown recheck', rechecked, unknown, 'not_found', 'recheck'],
    ['before the first recheck', [world.hired()], by(WORKER), 'not_found', 'recheck'],
  ]);
});
