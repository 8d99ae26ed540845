import { describe } from '@jest/globals';
import { EarlierLinked, Muse } from '#libs/domain/muse.js';
import { revise } from '#libs/features/deliveries/revise.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, WORKER } = world;
const TEXT = 'Please translate the second paragraph too.';
const asks = (actor = POSTER) => decides(revise, { hire: String(HIRE), text: TEXT }, actor);

const own = stateOf(
  Muse,
  world.told('Registered', { muse_id: POSTER }),
  EarlierLinked({ muse_id: POSTER, earlier: WORKER }),
);
const linked = decides(revise, { hire: String(HIRE), text: TEXT }, POSTER, { reads: { own } });

const hired = [world.hired()];
const delivered = [...hired, world.delivered()];
const asked = (count: number) => world.told('RevisionAsked', { hire: HIRE, count });
const RevisionAsked = { hire: HIRE, role: world.ROLE, text: TEXT };

describe('asking for a revision', () => {
  testDecisions(Hire, { RevisionAsked }, [
    ['is open to the poster after a delivery', delivered, asks(), { RevisionAsked: { count: 1 } }],
    ['counts up before an answer', [...delivered, asked(1)], asks(), { RevisionAsked: { count: 2 } }],
    [
      'counts up after an answer',
      [...delivered, asked(2), world.delivered(2)],
      asks(),
      { RevisionAsked: { count: 3 } },
    ],
  ]);

  testRefusals(Hire, [
    ['for an unknown hire', [], asks(), 'not_found', 'hire'],
    ['to a later identity of the worker', delivered, linked, 'with_itself'],
    ['to the worker', delivered, asks(WORKER), 'not_the_poster'],
    ['before a delivery', hired, asks(), 'not_delivered'],
    ['after the end of the hire', [...hired, world.hireEnded()], asks(), 'hire_ended'],
    ['after the fourth time', [...delivered, asked(3)], asks(), 'too_many_revisions'],
    ['once accepted', [...delivered, world.told('Accepted')], asks(), 'already_accepted'],
    ['once paid', [...delivered, world.wageStarted, world.paid], asks(), 'already_paid'],
    ['during a dispute', [...delivered, world.disputed()], asks(), 'disputed'],
  ]);
});
