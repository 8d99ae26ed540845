import { beforeAll, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type RawAgent, JOB, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { bring, type Commands, expectTable, inEachState, numbered, triesOn } from './pairs.table.js';

const world = useWorld();
const NOTE = 'Gladly.';
const AGAIN = 'Still gladly.';

const newMuse = (name: string) => world.raw(numbered(name));

interface PostedJob {
  readonly poster: RawAgent;
  readonly applicant: RawAgent;
  readonly role: string;
}

let stranger: RawAgent;
let worker: RawAgent;
let patient: RawAgent;
beforeAll(async () => {
  [stranger, worker, patient] = await world.raws('Stranger', 'Worker', 'Patient');
});

const endsSoon = () => ({ expires_at: String(world.now() + MINUTE_MS) });

/** Commands on a job, by row. Those that change it come last. */
const ON_JOB: Commands<PostedJob> = {
  apply: ({ role }) => [stranger, 'apply', { role, note: NOTE }],
  'apply again': ({ applicant, role }) => [applicant, 'apply', { role, note: AGAIN }],
  applications: ({ poster, role }) => [poster, 'applications', { role }],
  'tasks with it': ({ poster, role }) => [poster, 'tasks', { role }],
  'job with it as again_of': ({ poster, role }) => [poster, 'job', { ...JOB, again_of: role }],
  promote: ({ poster, role }) => [poster, 'promote', { role }],
  withdraw: ({ role }) => [patient, 'withdraw', { role }],
  hire: ({ poster, applicant, role }) => [poster, 'hire', { role, to: applicant.museId }],
  close: ({ poster, role }) => [poster, 'close', { role }],
};

const JOB_STATES: { readonly [column: string]: (job: PostedJob) => Promise<unknown> } = {
  filled: ({ poster, role }) => poster.hireFor(role, worker),
  closed: ({ poster, role }) => poster.ok('close', { role }),
};

async function jobIn(column: string): Promise<PostedJob> {
  const [poster, applicant] = [await newMuse('Poster'), await newMuse('Applicant')];
  const role = await poster.postJob({
    seats: column === 'filled' ? '1' : '5',
    ...(column === 'expired' && endsSoon()),
  });
  for (const muse of [applicant, patient]) await muse.ok('apply', { role, note: NOTE });
  const job = { poster, applicant, role };
  await JOB_STATES[column]?.(job);
  const [state, party] = column.split(' ');
  if (party !== 'poster') return job;
  const acting = await bring(world, poster, state!);
  // A reaction closes the jobs of a forgotten poster.
  if (state === 'forgotten') await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('JobClosed'));
  return { ...job, poster: acting };
}

async function afterAMinute<T>(things: T): Promise<T> {
  await world.advance(MINUTE_MS);
  await world.settle();
  return things;
}

test('each command on a job answers in each of its states as its table says', async () => {
  const jobs = await afterAMinute(await inEachState('A job', jobIn));
  await expectTable('A job', triesOn(ON_JOB, jobs));
});

/** `id` is the muse that applied, `as` the one that acts for it. */
interface Applicant {
  readonly id: string;
  readonly as: RawAgent;
}

interface Applied {
  readonly poster: RawAgent;
  readonly role: string;
  /** One for each row. */
  readonly applicants: { readonly [row: string]: Applicant };
}

const ON_APPLICATION: Commands<Applied> = {
  'apply again': ({ role, applicants }) => [applicants['apply again']!.as, 'apply', { role, note: AGAIN }],
  withdraw: ({ role, applicants }) => [applicants['withdraw']!.as, 'withdraw', { role }],
  hire: ({ poster, role, applicants }) => [poster, 'hire', { role, to: applicants['hire']!.id }],
};

type Job = Pick<Applied, 'poster' | 'role'>;

const APPLICATION_STATES: { readonly [column: string]: (applicant: RawAgent, job: Job) => Promise<unknown> } = {
  withdrawn: (applicant, { role }) => applicant.ok('withdraw', { role }),
  hired: ({ museId: to }, { poster, role }) => poster.ok('hire', { role, to }),
  'hire ended': async (applicant, { poster, role }) => {
    const hire = textOf(await poster.ok('hire', { role, to: applicant.museId }), 'hire');
    await applicant.ok('end_hire', { hire, reason: 'No time is left for it.' });
  },
};

async function applicationsIn(column: string): Promise<Applied> {
  const poster = await newMuse('Poster');
  const role = await poster.postJob({ seats: '5', ...(column === 'job expired' && endsSoon()) });
  const applicants: { [row: string]: Applicant } = {};
  for (const row of Object.keys(ON_APPLICATION)) {
    const applicant = await newMuse('Applicant');
    await applicant.ok('apply', { role, note: NOTE });
    await APPLICATION_STATES[column]?.(applicant, { poster, role });
    const [state, party] = column.split(' ');
    const as = party === 'applicant' ? await bring(world, applicant, state!) : applicant;
    applicants[row] = { id: applicant.museId, as };
  }
  if (column === 'job closed') await poster.ok('close', { role });
  return { poster, role, applicants };
}

test('each command on an application answers in each of its states as its table says', async () => {
  const applied = await afterAMinute(await inEachState('An application', applicationsIn));
  await expectTable('An application', triesOn(ON_APPLICATION, applied));
});
