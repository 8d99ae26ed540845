import { beforeAll, test } from '@jest/globals';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { paymentHeader } from '../x402.js';
import { type RawAgent, requireOk, textOf } from '../raw-agent.js';
import { bring, command, expectTable, inEachState, numbered, readTable, triesOn, type Try } from './pairs.table.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const REASON = 'A page of it is missing.';
const REPLY = 'The page is at its place now.';
const SCOPE = 'Read all of it.';

const newMuse = (name: string) => world.raw(numbered(name));

interface Parties {
  readonly poster: RawAgent;
  readonly worker: RawAgent;
}

/** A hire and the muses that act on it. */
interface Work extends Parties {
  readonly role: string;
  readonly hire: string;
  /** Given where a reply to it is tried. */
  readonly recheck?: string;
}

let third: RawAgent;
beforeAll(async () => void (third = await newMuse('Third')));

async function newParties(): Promise<Parties> {
  const [poster, worker] = [await newMuse('Poster'), await newMuse('Worker')];
  for (const muse of [poster, worker]) await muse.ok('profile', { skills: 'french' });
  return { poster, worker };
}

const deliver = ({ worker, hire }: Work) => worker.ok('deliver', { hire, url: world.page(numbered('Done')) });

/** Commands on a hire, by row. */
const ON_HIRE: { readonly [row: string]: (work: Work) => readonly [RawAgent, string, SignableFields] } = {
  deliver: ({ worker, hire }) => [worker, 'deliver', { hire, url: world.page(numbered('Again')) }],
  accept: ({ poster, hire }) => [poster, 'accept', { hire }],
  pay: ({ poster, hire }) => [poster, 'pay', { hire }],
  revise: ({ poster, hire }) => [poster, 'revise', { hire, text: REASON }],
  ask_payout: ({ poster, hire }) => [poster, 'ask_payout', { hire }],
  'dispute by the poster': ({ poster, hire }) => [poster, 'dispute', { hire, reason: REASON }],
  'dispute by the worker': ({ worker, hire }) => [worker, 'dispute', { hire, reason: REASON }],
  'dispute with withdraw': ({ poster, hire }) => [poster, 'dispute', { hire, withdraw: 'true' }],
  'recheck_reply by the poster': ({ poster, hire, recheck = '1' }) => [
    poster,
    'recheck_reply',
    { hire, recheck, text: REPLY },
  ],
  'recheck_reply by the worker': ({ worker, hire, recheck = '1' }) => [
    worker,
    'recheck_reply',
    { hire, recheck, text: REPLY },
  ],
  recheck: ({ hire }) => [third, 'recheck', { hire, result: 'held', scope: SCOPE }],
  'end_hire by the poster': ({ poster, hire }) => [poster, 'end_hire', { hire, reason: REASON }],
  'end_hire by the worker': ({ worker, hire }) => [worker, 'end_hire', { hire, reason: REASON }],
  'endorse that cites it': ({ poster, worker, hire }) => [
    poster,
    'endorse',
    { to: worker.museId, skill: 'french', hire },
  ],
  'post with it as proofs': ({ worker, hire }) => [worker, 'post', { text: numbered('Shown'), proofs: hire }],
};
/** Rows that need a wage, which costs a fee. */
const WITH_WAGE: ReadonlySet<string> = new Set(['pay', 'ask_payout']);
const wageFor = (row: string): SignableFields => (WITH_WAGE.has(row) ? { budget_usd: '2' } : {});

async function pay({ poster, hire }: Work): Promise<void> {
  const offer = await poster.post('pay', { hire });
  requireOk(await poster.post('pay', { hire }, await paymentHeader(poster.wallet, offer, world.now())));
}

/** States without a delivery, so without a recheck. */
const UNREAD = ['undelivered', 'ended'];

async function newWork(parties: Parties, state: string, row: string): Promise<Work> {
  const terms = state === 'paid' ? { budget_usd: '2' } : wageFor(row);
  const work: Work = { ...parties, ...(await parties.poster.hire(parties.worker, terms)) };
  await HIRE_STATES[state]!(work);
  if (!row.startsWith('recheck_reply') || UNREAD.includes(state)) return work;
  return {
    ...work,
    recheck: textOf(await third.ok('recheck', { hire: work.hire, result: 'broke', scope: SCOPE }), 'recheck'),
  };
}

const HIRE_STATES: { readonly [state: string]: (work: Work) => Promise<unknown> } = {
  undelivered: async () => {},
  delivered: deliver,
  rechecked: async work => {
    await deliver(work);
    await third.ok('recheck', { hire: work.hire, result: 'broke', scope: SCOPE });
  },
  accepted: async work => {
    await deliver(work);
    await work.poster.ok('accept', { hire: work.hire });
  },
  paid: async work => {
    await deliver(work);
    await pay(work);
  },
  disputed: async work => {
    await deliver(work);
    await work.poster.ok('dispute', { hire: work.hire, reason: REASON });
  },
  ended: ({ worker, hire }) => worker.ok('end_hire', { hire, reason: REASON }),
};

test('each command on a hire answers in each of its states as its table says', async () => {
  const refusing = new Map<string, Work>();
  const parties = new Map<string, Parties>();
  for (const state of Object.keys(HIRE_STATES)) parties.set(state, await newParties());
  const onHire =
    (row: string): Try =>
    async (state, isRefused) => {
      const isShared = isRefused && !WITH_WAGE.has(row);
      const shared = isShared ? refusing.get(state) : undefined;
      const work =
        shared ?? (await newWork(row === 'ask_payout' ? await newParties() : parties.get(state)!, state, row));
      // Only a worker without a wallet is asked.
      if (row === 'ask_payout') await work.worker.ok('profile', { payout_address: '' });
      if (isShared) refusing.set(state, work);
      return command(...ON_HIRE[row]!(work));
    };
  await expectTable('A hire', Object.fromEntries(Object.keys(ON_HIRE).map(row => [row, onHire(row)])));
});

/** Delivered hires, one for each row, whose party is then brought into a state. */
async function worksWithout(column: string): Promise<ReadonlyMap<string, Work>> {
  const [state, party] = column.split(' ') as [string, keyof Parties];
  const parties = await newParties();
  const rows = new Map<string, Work>();
  for (const row of Object.keys(ON_HIRE)) {
    const work = await newWork(parties, 'delivered', row);
    if (row === 'dispute with withdraw') await work.poster.ok('dispute', { hire: work.hire, reason: REASON });
    // A wage that is owed refuses a link of its poster.
    if (WITH_WAGE.has(row) && column === 'linked poster') await pay(work);
    rows.set(row, work);
  }
  const acting = await bring(world, parties[party], state);
  if (state === 'linked') await acting.ok('profile', { skills: 'french' });
  return new Map([...rows].map(([row, work]) => [row, { ...work, [party]: acting }]));
}

test('each command on a delivered hire whose party is gone answers as its table says', async () => {
  const { columns } = readTable('A hire whose party is gone');
  const works = new Map(await Promise.all(columns.map(async column => [column, await worksWithout(column)] as const)));
  const onHire =
    (row: string): Try =>
    column =>
      command(...ON_HIRE[row]!(works.get(column)!.get(row)!));
  await expectTable(
    'A hire whose party is gone',
    Object.fromEntries(Object.keys(ON_HIRE).map(row => [row, onHire(row)])),
  );
});

async function recheckIn(column: string): Promise<Work> {
  const [work, checker] = [await newWork(await newParties(), 'delivered', 'recheck'), await newMuse('Checker')];
  const recheck = textOf(await checker.ok('recheck', { hire: work.hire, result: 'broke', scope: SCOPE }), 'recheck');
  if (column === 'earlier version') await deliver(work);
  await bring(world, checker, column.split(' ')[0]!);
  return { ...work, recheck };
}

test('each reply to a recheck answers in each of its states as its table says', async () => {
  const rows = ['recheck_reply by the poster', 'recheck_reply by the worker'];
  const replies = Object.fromEntries(rows.map(row => [row, ON_HIRE[row]!]));
  await expectTable('A recheck', triesOn(replies, await inEachState('A recheck', recheckIn)));
});
