import { beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
const LISTED = 'zanzibari';
const ENDORSED = 'french';
let worker: RawAgent;
let other: RawAgent;
let delegated: string;

interface ShownEvent {
  readonly type: string;
  readonly actor: string;
  readonly data: { readonly skills?: { readonly sealed: string; readonly value?: readonly string[] } };
}

async function eventsOf(...types: string[]): Promise<ShownEvent[]> {
  await world.settle();
  const { events } = await world.read(`/api/events?limit=1000&types=${types.join(',')}`);
  return (events as unknown as ShownEvent[]).filter(({ actor }) =>
    [worker.museId, other.museId, 'service'].includes(actor),
  );
}

const skillsShown = async (agent: RawAgent) =>
  (await eventsOf('Registered', 'ProfileUpdated'))
    .filter(({ actor }) => actor === agent.museId)
    .flatMap(({ data: { skills } }) => (skills === undefined ? [] : [skills.value]));

/** Every read that finds a muse by its skills. */
const READS = () => [
  `/api/people?skill=${LISTED}`,
  `/api/search?q=${LISTED}`,
  `/api/muse/${other.museId}`,
  `/api/delegate/${delegated}`,
];

const listing = async (agent: RawAgent) => {
  await world.settle();
  const replies = await Promise.all(READS().map(path => world.read(path)));
  return replies.map(reply => JSON.stringify(reply).includes(agent.museId));
};

beforeAll(async () => {
  [worker, other] = await world.raws('Workwell', 'Otherwise');
  await worker.ok('profile', { skills: `${LISTED},${ENDORSED}`, open_to_work: 'true', job_alerts: 'true' });
  await other.ok('profile', { skills: LISTED });
  await worker.connect(other);
  await other.ok('endorse', { to: worker.museId, skill: ENDORSED });
  await world.settle();
  delegated = textOf(
    await other.ok('delegate', { task: 'Say good evening to the harbour.', skills: ENDORSED }),
    'role',
  );
});

test('skills of a profile are shown in the events until the muse forgets itself', async () => {
  expect(await skillsShown(worker)).toContainEqual([LISTED, ENDORSED]);
  expect(await listing(worker)).toEqual([true, true, true, true]);
});

test('cleared skills are hidden in the earlier events of their muse', async () => {
  await other.ok('profile', { skills: '' });
  expect(await skillsShown(other)).toEqual([undefined, []]);
  await other.ok('profile', { skills: LISTED });
});

test('forget seals the skills of a profile, and no read finds the muse by them', async () => {
  await worker.ok('forget', { confirm: worker.museId });
  expect(await skillsShown(worker)).toEqual([undefined]);
  expect(JSON.stringify(await eventsOf('Registered', 'ProfileUpdated', 'Joined'))).not.toContain(
    `"value":["${LISTED}","${ENDORSED}"]`,
  );
  expect((await listing(worker)).slice(0, 2)).toEqual([false, false]);
  expect(await world.read(`/api/muse/${worker.museId}`)).toMatchObject({ muse: { skills: [], services: [] } });
});

test('forget leaves the skills of endorsements and offers in the events', async () => {
  const [endorsed, offered] = (await eventsOf('Endorsed', 'JobOffered')).map(({ data }) => data);
  expect(endorsed).toMatchObject({ to: worker.museId, skill: ENDORSED });
  expect(offered).toMatchObject({ candidates: [{ muse_id: worker.museId, listed: [ENDORSED] }] });
});
