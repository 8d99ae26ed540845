import { test } from '@jest/globals';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { ESCROWED, hireWithEscrow } from '../escrow-payment.js';
import { RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { bring, command, expectTable, numbered, type Try } from './pairs.table.js';

const world = useSharedWorld();
const REASON = 'The second page of it is missing.';
/** The job stays open, so that it can be promoted. */
const SEATS = { seats: '2' };

const newMuse = (name: string) => world.raw(numbered(name));

interface Work {
  readonly poster: RawAgent;
  readonly worker: RawAgent;
  readonly role: string;
  readonly hire: string;
}

async function changeKey(agent: RawAgent): Promise<Reply> {
  const next = new RawAgent(agent.url);
  const proof = next.proof(`service-key-v1\n${agent.museId}\n${next.publicKey}`);
  return command(agent, 'key', { public_key: next.publicKey, proof });
}

const ON_HIRE: { readonly [row: string]: (work: Work) => Promise<Reply> } = {
  deliver: ({ worker, hire }) => command(worker, 'deliver', { hire, url: world.page(numbered('Again')) }),
  accept: ({ poster, hire }) => command(poster, 'accept', { hire }),
  pay: ({ poster, hire }) => command(poster, 'pay', { hire }),
  revise: ({ poster, hire }) => command(poster, 'revise', { hire, text: REASON }),
  'dispute by the poster': ({ poster, hire }) => command(poster, 'dispute', { hire, reason: REASON }),
  'dispute by the worker': ({ worker, hire }) => command(worker, 'dispute', { hire, reason: REASON }),
  'end_hire by the poster': ({ poster, hire }) => command(poster, 'end_hire', { hire, reason: REASON }),
  'end_hire by the worker': ({ worker, hire }) => command(worker, 'end_hire', { hire, reason: REASON }),
  'link of the poster': async ({ poster }) => (await newMuse('Later')).link(poster),
  'link of the worker': async ({ worker }) => (await newMuse('Later')).link(worker),
  'promote its job': ({ poster, role }) => command(poster, 'promote', { role }),
  'block by the worker': ({ poster, worker }) => command(worker, 'block', { to: poster.museId }),
  'key of the worker': ({ worker }) => changeKey(worker),
  'forget by the poster': ({ poster }) => command(poster, 'forget', { confirm: poster.museId }),
  'forget by the worker': ({ worker }) => command(worker, 'forget', { confirm: worker.museId }),
};

/** Rows that leave the hire as it is, and all but the last one its parties. */
const HARMLESS: ReadonlySet<string> = new Set(['promote its job', 'block by the worker', 'key of the worker']);

async function deliver({ worker, hire }: Work): Promise<void> {
  await worker.ok('deliver', { hire, url: world.page(numbered('Done')) });
}

async function finish({ hire }: Work, type: string): Promise<void> {
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes(type));
}

const HIRE_STATES: { readonly [state: string]: (work: Work) => Promise<unknown> } = {
  undelivered: async () => {},
  'in review': deliver,
  disputed: async work => {
    await deliver(work);
    await work.poster.ok('dispute', { hire: work.hire, reason: REASON });
  },
  released: async work => {
    await deliver(work);
    await work.poster.ok('accept', { hire: work.hire });
    await finish(work, 'Paid');
  },
  ended: async work => {
    await deliver(work);
    await work.worker.ok('end_hire', { hire: work.hire, reason: REASON });
    await finish(work, 'EscrowClosed');
  },
  'suspended worker': async work => {
    await deliver(work);
    await bring(world, work.worker, 'suspended');
  },
  'suspended poster': async work => {
    await deliver(work);
    await bring(world, work.poster, 'suspended');
  },
};

async function newWork(state: string): Promise<Work> {
  const [poster, worker] = [await newMuse('Poster'), await newMuse('Worker')];
  const work: Work = { poster, worker, ...(await hireWithEscrow(poster, worker, SEATS)) };
  await HIRE_STATES[state]!(work);
  return work;
}

test('each command on a hire with an escrow answers as its table says', async () => {
  const shared = new Map<string, Work>();
  const onHire =
    (row: string): Try =>
    async (state, isRefused) => {
      const isShared = isRefused || HARMLESS.has(row);
      const work = (isShared ? shared.get(state) : undefined) ?? (await newWork(state));
      if (isShared) shared.set(state, work);
      return ON_HIRE[row]!(work);
    };
  await expectTable('A hire with an escrow', Object.fromEntries(Object.keys(ON_HIRE).map(row => [row, onHire(row)])));
}, 120_000);

interface Applied {
  readonly poster: RawAgent;
  readonly worker: RawAgent;
  readonly fields: SignableFields;
}

type Hiring = (applied: Applied) => Promise<Reply>;

const hire: Hiring = ({ poster, fields }) => command(poster, 'hire', fields);

async function hireByToken({ poster, fields }: Applied, spend_usd_a_day: string): Promise<Reply> {
  const token = textOf(await poster.ok('token', { action: 'issue', scope: 'work', spend_usd_a_day }), 'token');
  return send(poster.url, '/api/hire', { body: fields, headers: { authorization: `Bearer ${token}` } });
}

const HIRING: { readonly [row: string]: Hiring } = {
  hire,
  'hire by a token with a smaller daily sum': applied => hireByToken(applied, '5'),
  'hire by a token with a larger daily sum': applied => hireByToken(applied, '50'),
  'hire at another wage': applied => hire({ ...applied, fields: { ...applied.fields, wage_usd: '3' } }),
};

const APPLICANT_STATES: { readonly [state: string]: (worker: RawAgent, poster: RawAgent) => Promise<unknown> } = {
  applied: async () => {},
  'asks for less': async () => {},
  'has no wallet': worker => worker.ok('profile', { payout_address: '' }),
  'blocks the poster': (worker, poster) => worker.ok('block', { to: poster.museId }),
  suspended: worker => bring(world, worker, 'suspended'),
  linked: worker => bring(world, worker, 'linked'),
  forgotten: worker => bring(world, worker, 'forgotten'),
};

async function newApplication(state: string): Promise<Applied> {
  const [poster, worker] = [await newMuse('Poster'), await newMuse('Applicant')];
  const role = await poster.postJob(ESCROWED);
  await worker.ok('apply', { role, note: 'Gladly.', ...(state === 'asks for less' && { ask_usd: '4.37' }) });
  await APPLICANT_STATES[state]!(worker, poster);
  return { poster, worker, fields: { role, to: worker.museId } };
}

test('a hire that funds an escrow answers as its table says', async () => {
  const applications = new Map<string, Applied>();
  const onHiring =
    (row: string): Try =>
    async state => {
      if (!applications.has(state)) applications.set(state, await newApplication(state));
      return HIRING[row]!(applications.get(state)!);
    };
  await expectTable(
    'An applicant for a job with an escrow',
    Object.fromEntries(Object.keys(HIRING).map(row => [row, onHiring(row)])),
  );
});
