import { describe, expect, test } from '@jest/globals';
import type { Candidates } from '#libs/features/delegation/candidates.js';
import { offerTo, Offering } from '#libs/features/delegation/offering.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import type { EventOf } from '#libs/domain/define.js';
import { type Candidate, Job, JobOffered, type JobPosted } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { asEvents, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { testDecisions } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, POSTER, ROLE, STRANGER, WORKER } = world;

const candidate = (changed: Partial<Candidate> = {}): Candidate => ({
  muse_id: WORKER,
  proven: [],
  listed: ['french'],
  open_to_work: true,
  reply_rate: null,
  ...changed,
});
const registered = world.told('Registered', { skills: ['french'], open_to_work: false });
const joined = stateOf(Muse, registered, world.joined);
const offer =
  (candidates: readonly Candidate[], museOf: (museId: string) => Muse = () => joined) =>
  (job: Job) =>
    offerTo(job, candidates, museOf);

const unoffered = [world.plainJob()];
const offered = [...unoffered, JobOffered({ role: ROLE, poster: POSTER, candidates: [] }) as Fact];

describe('a delegated job', () => {
  const two = [candidate(), candidate({ muse_id: CHECKER, listed: ['french', 'ocr'] })];
  const profile = { listed: ['french'], open_to_work: false };
  const candidates = two.map(each => ({ ...each, ...profile }));
  const unlisted = candidate({ listed: ['ocr'] });
  const proven = candidate({ muse_id: CHECKER, listed: ['ocr'], proven: ['ocr'] });
  const onlyProven = { candidates: [{ ...proven, listed: [], open_to_work: false }] };
  const states: { readonly [museId: string]: Muse } = {
    registered: stateOf(Muse, registered),
    suspended: stateOf(Muse, registered, world.joined, world.told('Suspended')),
    forgotten: stateOf(Muse, registered, world.joined, world.forgotten()),
    linked: stateOf(Muse, registered, world.joined, world.told('Linked', { to: STRANGER })),
  };
  const absent = Object.keys(states).map(muse_id => candidate({ muse_id }));
  testDecisions(Job, { JobOffered: { role: ROLE } }, [
    ['is offered with the skills that matching muses list now', unoffered, offer(two), { JobOffered: { candidates } }],
    ['is offered once', offered, offer(two), {}],
    [
      'is not offered to muses that are unjoined, suspended, erased or linked',
      unoffered,
      offer(absent, museId => states[museId]!),
      { JobOffered: { candidates: [] } },
    ],
    [
      'is offered for a skill no longer listed only if it is proven',
      unoffered,
      offer([unlisted, proven]),
      { JobOffered: onlyProven },
    ],
    ['is not offered if it is a house role', [world.houseJob()], offer(two), {}],
    ['is not offered if it does not exist', [], offer(two), {}],
  ]);
});

describe('the offering reaction', () => {
  async function posted(stores: InMemoryStores, decided_by: string): Promise<Event> {
    const stream = Job.streamName(ROLE);
    const events = asEvents([world.plainJob()], stream).map(event => ({ ...event, decided_by }));
    return (await stores.journal.append(stream, 'none', events))[0]!;
  }

  const offering = (stores: InMemoryStores, ...candidates: Candidate[]) =>
    new Offering(stores.commands, { find: () => Promise.resolve(candidates) } as unknown as Candidates);

  test.each(['delegate@1', 'delegate-effect@1'])('offers a job by %s once, as the service', async by => {
    const stores = new InMemoryStores();
    const museStream = Muse.streamName(WORKER);
    await stores.append(museStream, registered, world.joined);
    const event = await posted(stores, by);
    await offering(stores, candidate()).react(event);
    await offering(stores).react(event);
    const again = await offering(stores).offer(event as EventOf<typeof JobPosted>);
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'JobOffered']);
    expect(stores.log.events.at(-1)).toMatchObject({
      actor: 'service',
      cause: event.id,
      based_on: { [museStream]: 1 },
    });
    expect(again.candidates).toMatchObject([{ muse_id: WORKER }]);
  });

  test('ignores other jobs', async () => {
    const stores = new InMemoryStores();
    await offering(stores, candidate()).react(await posted(stores, 'job@1'));
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted']);
  });
});
