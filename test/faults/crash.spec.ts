import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type HDNodeWallet, Interface } from 'ethers';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type Step, STEPS } from '#libs/payments/machine.js';
import { RAILS } from '#libs/payments/rails.js';
import { type Headings, type RawAgent, type Reply, textOf } from '../raw-agent.js';
import { offerOf, type Payload, payload, version2 } from '../x402.js';
import { CLEAN, World } from '../world.js';
import { answered, Ordeal } from './ordeal.js';

/**
 * The process is killed at every step of a payment, started again on the same folder, and asked the same again: one
 * transfer, one effect, one answer. `FAULTS=all` does so for both paid endpoints on both rails, and around every
 * event that is written.
 */
const ALL = process.env['FAULTS'] === 'all';
const ENDPOINTS = ALL ? (['job', 'pay'] as const) : (['job'] as const);
const PATHS = ENDPOINTS.flatMap(endpoint => RAILS.slice(ALL ? 0 : 1).map(({ name }) => [endpoint, name] as const));
const APPENDS = ALL ? ['PaymentAccepted', 'Claimed', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'] : [];

/** What has to happen for a step to be met; nothing happens any more after `done`. */
const SITUATIONS: { readonly [K in Step['do']]: 'always' | 'no block' | 'cancelled' | 'over' | 'never' } = {
  ...{ claim: 'always', look: 'always', submit: 'always', broadcast: 'always', settle: 'always', apply: 'always' },
  ...{ wait: 'no block', replace: 'no block', refuse: 'cancelled', expire: 'over', done: 'never' },
};
const met = (situation: string) => STEPS.filter(step => SITUATIONS[step] === situation).map(step => `[step ${step}]`);
const POINTS = [
  '[before PaymentAccepted]',
  '[after PaymentAccepted]',
  ...met('always'),
  ...APPENDS.slice(1).flatMap(type => [`[before ${type}]`, `[after ${type}]`]),
];

let ordeal: Ordeal;
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  ordeal = await Ordeal.start({ IDLE_BLOCKS: 'off' });
  [poster, worker] = [await ordeal.agent('poster'), await ordeal.agent('worker')];
});
afterAll(() => ordeal.stop());

/** A signed request with the payment that it is to be sent with. */
interface Paying {
  readonly wallet: HDNodeWallet;
  readonly payTo: string;
  readonly rail: string;
  readonly payment: Payload;
  /** The same bytes again. */
  readonly ask: () => Promise<Reply>;
  /** The same request and payment, signed anew. */
  readonly askAnew: () => Promise<Reply>;
}

let titles = 0;

async function paying(
  endpoint: string,
  fields: { [name: string]: string },
  rail: string,
  wallet?: HDNodeWallet,
): Promise<Paying> {
  const payer = wallet ?? (await ordeal.wallet());
  const body = poster.signed(endpoint, fields);
  const asked = await poster.again(endpoint, body);
  const payment = await payload(payer, asked, ordeal.now());
  const headers: Headings = { 'payment-signature': version2(asked, payment) };
  const ask = () => poster.again(endpoint, body, headers);
  const askAnew = () => poster.post(endpoint, fields, headers);
  return { wallet: payer, payTo: offerOf(asked).accepts[0]!.payTo, rail, payment, ask, askAnew };
}

const postsJob = (rail: string, wallet?: HDNodeWallet) =>
  paying(
    'job',
    {
      title: `Job ${(titles += 1)}`,
      summary: 'Twenty characters at least.',
      done: 'a thing is done',
      budget_usd: '10',
      rail,
    },
    rail,
    wallet,
  );

async function paysWage(rail: string): Promise<Paying> {
  const { ask, wallet } = await postsJob(rail);
  const role = (await ask()).body['role'] as string;
  await worker.post('apply', { role, note: 'Me.' });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  await worker.post('deliver', { hire, url: ordeal.page });
  return paying('pay', { hire }, rail, wallet);
}

const request = (endpoint: 'job' | 'pay', rail: string) => (endpoint === 'job' ? postsJob(rail) : paysWage(rail));
const transfers = ({ rail, wallet, payTo }: Paying) => ordeal.token(rail).transfers(wallet.address, payTo);

/** The process dies of the request. */
async function dies({ ask }: Paying, ...points: string[]): Promise<void> {
  ordeal.child.dieAt(...points);
  try {
    await expect(ask()).rejects.toThrow();
    await ordeal.child.ended;
  } finally {
    ordeal.child.dieAt();
  }
}

async function isPaidOnce(paying: Paying): Promise<void> {
  const answer = await answered(paying.ask);
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ ok: true, paid: true })]);
  const [again, anew] = [await paying.ask(), await paying.askAnew()];
  expect([again.status, again.body, anew.body]).toEqual([200, answer.body, answer.body]);
  const { tx } = answer.body['payment'] as { tx: string };
  expect(await transfers(paying)).toEqual([{ tx, amount: BigInt(paying.payment.authorization.value) }]);
}

async function isNotPaid(paying: Paying): Promise<void> {
  const refused = await answered(paying.askAnew);
  expect(refused).toMatchObject({ status: 402, body: { code: 'authorization_refused' } });
  expect(await transfers(paying)).toEqual([]);
}

describe.each(PATHS)('killed while %s on %s is paid', (endpoint, rail) => {
  test.each(POINTS)('%s', async point => {
    const paying = await request(endpoint, rail);
    await dies(paying, point);
    await ordeal.restart();
    await isPaidOnce(paying);
  });

  test.each(met('no block'))('%s, while no block is made', async point => {
    const paying = await request(endpoint, rail);
    await ordeal.token(rail).call('evm_setAutomine', false).catch(nothing);
    try {
      await dies(paying, point);
    } finally {
      await ordeal.token(rail).call('evm_setAutomine', true).catch(nothing);
    }
    await ordeal.restart();
    await isPaidOnce(paying);
  });

  test.each(met('cancelled'))('%s, for it was cancelled meanwhile', async point => {
    const paying = await request(endpoint, rail);
    await dies(paying, '[step claim]');
    await cancel(paying);
    await ordeal.startAndDie(point);
    await ordeal.restart();
    await isNotPaid(paying);
  });

  test.each(met('over'))('%s, for its time is over', async point => {
    const paying = await request(endpoint, rail);
    await dies(paying, '[after PaymentAccepted]');
    await ordeal.startAndDie(point, 20 * MINUTE_MS);
    await ordeal.restart();
    await isNotPaid(paying);
  });
});

const CANCEL = new Interface(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']);

/** The node answers null to what it was told. */
const nothing = () => undefined;

async function cancel({ rail, wallet, payment }: Paying): Promise<void> {
  const { domain, chainId, asset } = RAILS.find(({ name }) => name === rail)!;
  const types = {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  };
  const cancelled = { authorizer: wallet.address, nonce: payment.authorization.nonce };
  const signature = await wallet.signTypedData({ ...domain, chainId, verifyingContract: asset }, types, cancelled);
  const token = ordeal.token(rail);
  const [from] = await token.call<string[]>('eth_accounts');
  const data = CANCEL.encodeFunctionData('cancelAuthorization', [cancelled.authorizer, cancelled.nonce, signature]);
  await token.call('eth_sendTransaction', { from, to: asset, data });
}

test('every payment has one story, and the documents are those of a rebuild', async () => {
  await ordeal.stop();
  const world = await World.start({ folder: ordeal.folder });
  try {
    const [accepted, settled, applied, refused, expired] = await world.counts(
      ...['PaymentAccepted', 'PaymentSettled', 'PaymentApplied', 'PaymentRefused', 'PaymentExpired'],
    );
    expect([settled, applied]).toEqual([accepted! - refused! - expired!, settled]);
    expect([refused, expired]).toEqual([PATHS.length, PATHS.length]);
    const effects = await world.counts('JobPosted', 'Paid');
    expect(effects[0]! + effects[1]!).toBe(applied);
    expect(await world.audit()).toEqual(CLEAN);
  } finally {
    await world.stop();
  }
});
