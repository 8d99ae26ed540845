import { describe } from '@jest/globals';
import { askPayout } from '#libs/features/deliveries/ask-payout.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { EarlierLinked, Muse } from '#libs/domain/muse.js';
import { stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, STRANGER, WORKER } = world;
const WITHOUT_WALLET = stateOf(Muse, world.registered, world.joined);
const WITH_WALLET = stateOf(Muse, world.registered, world.joined, world.told('Verified', { muse_id: WORKER }));
const ERASED = stateOf(Muse, world.registered, world.forgotten());

const asks = (actor = POSTER, worker = WITHOUT_WALLET, at?: number) =>
  decides(askPayout, { hire: String(HIRE) }, actor, {
    reads: { worker },
    ...(at !== undefined && { changed: { at } }),
  });

const linked = decides(askPayout, { hire: String(HIRE) }, POSTER, {
  reads: {
    own: stateOf(
      Muse,
      world.told('Registered', { muse_id: POSTER }),
      EarlierLinked({ muse_id: POSTER, earlier: WORKER }),
    ),
    worker: WITHOUT_WALLET,
  },
});

const hired = [world.hired()];
const delivered = [...hired, world.delivered()];
const asked = [...hired, world.payoutAsked];
const PayoutAsked = { hire: HIRE, role: ROLE, by: POSTER };

describe('asking for a payout address', () => {
  testDecisions(Hire, {}, [
    ['is open to the poster before a delivery', hired, asks(), { PayoutAsked }],
    ['is open to the poster after a delivery', delivered, asks(), { PayoutAsked }],
    ['is possible again after a day', asked, asks(POSTER, WITHOUT_WALLET, Date.now() + DAY_MS), { PayoutAsked }],
  ]);

  testRefusals(Hire, [
    ['on a hire that does not exist', [], asks(), 'not_found', 'hire'],
    ['to the worker', hired, asks(WORKER), 'not_the_poster'],
    ['to a later identity of the worker', hired, linked, 'with_itself'],
    ['to a stranger', hired, asks(STRANGER), 'not_the_poster'],
    ['without a budget', [world.hired({ wage: null })], asks(), 'no_budget'],
    ['on an ended hire', [...hired, world.hireEnded()], asks(), 'hire_ended'],
    ['on a paid hire', [...delivered, world.paid], asks(), 'already_paid'],
    ['if the worker has a wallet', hired, asks(POSTER, WITH_WALLET), 'has_wallet'],
    ['if the worker has erased itself', hired, asks(POSTER, ERASED), 'worker_forgotten'],
    ['within a day of the last time', asked, asks(), 'rate_limited'],
  ]);
});
