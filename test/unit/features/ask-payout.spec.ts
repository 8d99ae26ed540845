import { describe } from '@jest/globals';
import { askPayout } from '#libs/features/deliveries/ask-payout.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { EarlierLinked, Muse } from '#libs/domain/muse.js';
import { stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, STRANGER, WORKER } = world;
const NOBODY = { payTo: null, isForgotten: false };
const WALLET = `0x${'1'.repeat(40)}`;

const asks = (actor = POSTER, payee: object = NOBODY, at?: number) =>
  decides(askPayout, { hire: String(HIRE) }, actor, { given: payee, ...(at !== undefined && { changed: { at } }) });

const linked = decides(askPayout, { hire: String(HIRE) }, POSTER, {
  reads: {
    own: stateOf(
      Muse,
      world.told('Registered', { muse_id: POSTER }),
      EarlierLinked({ muse_id: POSTER, earlier: WORKER }),
    ),
  },
  given: NOBODY,
});

const hired = [world.hired()];
const delivered = [...hired, world.delivered()];
const asked = [...hired, world.payoutAsked];
const PayoutAsked = { hire: HIRE, role: ROLE, by: POSTER };

describe('asking for a payout address', () => {
  testDecisions(Hire, {}, [
    ['is open to the poster before a delivery', hired, asks(), { PayoutAsked }],
    ['is open to the poster after a delivery', delivered, asks(), { PayoutAsked }],
    ['is possible again after a day', asked, asks(POSTER, NOBODY, Date.now() + DAY_MS), { PayoutAsked }],
  ]);

  testRefusals(Hire, [
    ['on a hire that does not exist', [], asks(), 'not_found', 'hire'],
    ['to the worker', hired, asks(WORKER), 'not_the_poster'],
    ['to a later identity of the worker', hired, linked, 'with_itself'],
    ['to a stranger', hired, asks(STRANGER), 'not_the_poster'],
    ['without a budget', [world.hired({ budget: null })], asks(), 'no_budget'],
    ['on an ended hire', [...hired, world.hireEnded()], asks(), 'hire_ended'],
    ['on a paid hire', [...delivered, world.paid], asks(), 'already_paid'],
    ['if the worker has a wallet', hired, asks(POSTER, { ...NOBODY, payTo: WALLET }), 'has_wallet'],
    ['if the worker has erased itself', hired, asks(POSTER, { ...NOBODY, isForgotten: true }), 'worker_forgotten'],
    ['within a day of the last time', asked, asks(), 'rate_limited'],
  ]);
});
