import { describe, expect, test } from '@jest/globals';
import type { Candidates } from '#libs/features/jobs/candidates.js';
import { offerTo, Offering } from '#libs/features/jobs/offering.js';
import type { Event } from '#libs/kernel/event.js';
import type { EventOf } from '#libs/domain/define.js';
import { type Candidate, Job, JobOffered, type JobPosted } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { asEvents, given, integers, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
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

describe('a delegated job', () => {
  test('is offered once to matching muses, with skills from their own streams', () => {
    const left = candidate({ muse_id: CHECKER, listed: ['french', 'ocr'] });
    const said = { listed: ['french'], open_to_work: false };
    const candidates = [
      { ...candidate(), ...said },
      { ...left, ...said },
    ];
    given(Job, world.plainJob())
      .when(offer([candidate(), left]))
      .then(JobOffered({ role: ROLE, poster: POSTER, candidates }));
    given(Job, world.plainJob(), JobOffered({ role: ROLE, poster: POSTER, candidates: [] }))
      .when(offer([candidate()]))
      .thenNothing();
  });

  test('is not offered to muses that are unjoined, suspended, erased or linked', () => {
    const states: { readonly [museId: string]: Muse } = {
      registered: stateOf(Muse, registered),
      suspended: stateOf(Muse, registered, world.joined, world.told('Suspended')),
      forgotten: stateOf(Muse, registered, world.joined, world.forgotten()),
      linked: stateOf(Muse, registered, world.joined, world.told('Linked', { to: STRANGER })),
    };
    const candidates = Object.keys(states).map(muse_id => candidate({ muse_id }));
    given(Job, world.plainJob())
      .when(offer(candidates, museId => states[museId]!))
      .then(JobOffered({ role: ROLE, poster: POSTER, candidates: [] }));
  });

  test('is offered for a skill no longer listed only if it is proven', () => {
    const [fact] = given(Job, world.plainJob())
      .when(offer([candidate({ listed: ['ocr'] }), candidate({ muse_id: CHECKER, listed: ['ocr'], proven: ['ocr'] })]))
      .thenTypes('JobOffered');
    expect(fact!.data).toMatchObject({ candidates: [{ muse_id: CHECKER, listed: [], proven: ['ocr'] }] });
  });

  test('is not offered if it is a house role or does not exist', () => {
    given(Job, world.houseJob())
      .when(offer([candidate()]))
      .thenNothing();
    given(Job)
      .when(offer([candidate()]))
      .thenNothing();
  });
});

describe('the offering reaction', () => {
  async function posted(stores: InMemoryStores, decided_by: string): Promise<Event> {
    const stream = Job.streamName(ROLE);
    const events = asEvents([world.plainJob()], stream).map(event => ({ ...event, decided_by }));
    return (await stores.journal.append(stream, 'none', events))[0]!;
  }

  const offering = (stores: InMemoryStores, ...found: Candidate[]) =>
    new Offering(stores.journal, integers, { find: () => Promise.resolve(found) } as unknown as Candidates);

  test.each(['delegate@1', 'delegate-effect@1'])('offers a job by %s once, as the service', async by => {
    const stores = new InMemoryStores();
    const museStream = Muse.streamName(WORKER);
    await stores.journal.append(museStream, 'none', asEvents([registered, world.joined], museStream));
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
