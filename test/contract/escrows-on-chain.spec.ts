import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ContractTransactionReceipt, ZeroAddress } from 'ethers';
import { findEscrowProblem } from '#libs/audit/escrows-on-chain.js';
import { LoggedTimes } from '#libs/audit/logged-times.js';
import type { Escrow } from '#libs/domain/escrow.js';
import type { KnownPayment, PaymentAcceptedEvent } from '#libs/domain/payment.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { useDevChain } from './dev-chain.js';
import { AMOUNT, type Authorized, BASE, EscrowBench } from './escrow.bench.js';
import { VERSIONS } from './escrow.values.js';

const DAY_SECONDS = 86_400;
const OPEN: Escrow = { status: 'open', submitted: [], isSecured: false, isStuck: false, end: null };

const { dev, provider } = useDevChain();
describe.each(VERSIONS)('an auditor with the chain, for an escrow of $version', values => {
  let bench: EscrowBench;
  let authorized: Authorized;
  let funding: ContractTransactionReceipt;
  let snapshot: unknown;
  // Time travels in some tests.
  afterEach(async () => void (await provider.send('evm_revert', [snapshot])));
  beforeEach(async () => {
    snapshot = await provider.send('evm_snapshot', []);
    bench = await EscrowBench.start(dev, provider, values);
    authorized = await bench.pay();
    funding = await bench.authorize(authorized);
  });

  async function fundedPayment(): Promise<KnownPayment> {
    const payment_hash = (await bench.escrow.getFunction('getHash')(authorized.info)) as string;
    const { blockNumber: block } = funding;
    const capture_deadline = Number(authorized.info['authorizationExpiry']);
    const escrow = { contract: bench.address, payment_hash, operator: bench.operator.address, capture_deadline };
    const data = { payer: bench.payer.address.toLowerCase(), amount: String(AMOUNT), block, escrow };
    const accepted = { data } as unknown as PaymentAcceptedEvent;
    return { status: 'applied', accepted, submitted: [], tx: funding.hash, block, outcome: 'applied', reason: null };
  }

  /** A log that goes on for some minutes after the newest block. */
  async function find(escrow: Partial<Escrow>, changes: object = {}, minutes = 0, isReleaseOverdue = false) {
    const times = new LoggedTimes();
    const now = (await bench.newestSecond()) * SECOND_MS;
    for (let minute = 0; minute <= minutes; minute += 1) times.record(now + minute * MINUTE_MS);
    const payment = { ...(await fundedPayment()), ...changes };
    const logged = { payment, escrow: { ...OPEN, ...escrow }, rail: BASE, isReleaseOverdue };
    return findEscrowProblem(logged, times, new RpcAddress(dev.rpc['base']!));
  }

  const endOf = ({ hash: tx, blockNumber: block }: ContractTransactionReceipt, reason: string) => ({
    end: { tx, block, reason },
  });
  const released = (receipt: ContractTransactionReceipt) => find({ status: 'released', ...endOf(receipt, 'accepted') });
  const returned = (receipt: ContractTransactionReceipt, reason = 'ended') =>
    find({ status: 'returned', ...endOf(receipt, reason) });

  async function reclaimed(): Promise<ContractTransactionReceipt> {
    const at = Number(authorized.info['authorizationExpiry']);
    await provider.send('evm_setNextBlockTimestamp', [Math.max(at, (await bench.newestSecond()) + DAY_SECONDS)]);
    return bench.reclaim(authorized.info);
  }

  test('finds nothing wrong with an escrow that is open, released, returned or reclaimed', async () => {
    expect(await find({}, {}, 20)).toBeNull();
    expect(await released(await bench.captureAll(authorized.info))).toBeNull();
    for (const end of ['void', 'reclaim'] as const) {
      authorized = await bench.pay();
      funding = await bench.authorize(authorized);
      const [receipt, reason] =
        end === 'void' ? [await bench.call(end, authorized.info), 'ended'] : [await reclaimed(), 'reclaimed'];
      expect(await returned(receipt, reason)).toBeNull();
    }
  });

  test('takes a charge as a release', async () => {
    authorized = await bench.pay();
    const { info, signature } = authorized;
    funding = await bench.call('charge', info, AMOUNT, bench.collector, signature, 0, ZeroAddress);
    expect(await released(funding)).toBeNull();
  });

  test('finds an end whose transaction is missing, in another block or ends nothing', async () => {
    const capture = await bench.captureAll(authorized.info);
    const missing = `0x${'7'.repeat(64)}`;
    expect(
      await find({ status: 'released', end: { tx: missing, block: capture.blockNumber, reason: 'accepted' } }),
    ).toBe(`The chain does not know the transaction ${missing}, with which the escrow was released.`);
    const { hash, blockNumber } = capture;
    expect(await find({ status: 'released', end: { tx: hash, block: blockNumber + 1, reason: 'accepted' } })).toContain(
      'is in block',
    );
    expect(await released(funding)).toBe(`Its escrow was not released by the transaction ${funding.hash}.`);
  });

  test('finds a return that was a release, and a release that was a return', async () => {
    expect(await returned(await bench.captureAll(authorized.info))).toContain('was not returned by');
    authorized = await bench.pay();
    funding = await bench.authorize(authorized);
    expect(await released(await bench.call('void', authorized.info))).toContain('was not released by');
  });

  test('finds a return that is called a reclaim, and a reclaim that is called a return', async () => {
    const { hash } = await bench.call('void', authorized.info);
    expect(await returned((await provider.getTransactionReceipt(hash))! as never, 'reclaimed')).toContain(
      'is not a reclaim',
    );
    authorized = await bench.pay();
    funding = await bench.authorize(authorized);
    expect(await returned(await reclaimed())).toContain('is a reclaim');
  });

  test('finds an account or a deadline other than the contract has', async () => {
    const { accepted } = await fundedPayment();
    const { data } = accepted;
    const withTerm = (term: object) =>
      find({}, { accepted: { ...accepted, data: { ...data, escrow: { ...data.escrow!, ...term } } } });
    expect(await withTerm({ operator: bench.payer.address })).toContain('another operator on the chain');
    expect(await withTerm({ capture_deadline: 1 })).toContain('another authorizationExpiry on the chain');
  });

  test('finds a release that names the end of another escrow', async () => {
    const other = await bench.pay();
    await bench.authorize(other);
    expect(await released(await bench.captureAll(other.info))).toContain('was not released by');
  });

  test('finds an end that moves only a part of the amount', async () => {
    const part = await bench.call('capture', authorized.info, AMOUNT - 1n, 0, ZeroAddress);
    expect(await released(part)).toContain(`moves ${AMOUNT - 1n} of the ${AMOUNT} units`);
    expect(await returned(await bench.call('void', authorized.info))).toContain('moves 1 of the');
  });

  test('finds an end on the chain that the log leaves out', async () => {
    const { hash: tx } = await bench.captureAll(authorized.info);
    const problem = `Its escrow ended on the chain by the transaction ${tx}, and the log does not say so.`;
    expect(await find({})).toBeNull();
    expect(await find({}, {}, 3)).toBe(problem);
    const submitted = [{ tx }] as unknown as Escrow['submitted'];
    expect(await find({ submitted }, {}, 3)).toBeNull();
    expect(await find({ submitted }, {}, 11)).toBe(problem);
  });

  test('finds a reclaim that the log leaves out ten minutes later', async () => {
    const { hash } = await reclaimed();
    expect(await find({}, {}, 9)).toBeNull();
    expect(await find({}, {}, 11)).toContain(`ended on the chain by the transaction ${hash}`);
  });

  test('finds a release that its contract accepts and that the service does not send', async () => {
    const findWithheld = (escrow: Partial<Escrow> = {}) => find(escrow, {}, 0, true);
    expect(await findWithheld()).toContain('does not send the release that its contract accepts');
    const submitted = [{ tx: funding.hash, step: 'void' }] as unknown as Escrow['submitted'];
    expect(await findWithheld({ submitted })).toBeNull();
    await reclaimed();
    expect(await findWithheld()).toBeNull();
  });

  test('does not expect a release that the contract refuses', async () => {
    const at = Number(authorized.info['authorizationExpiry']);
    await provider.send('evm_setNextBlockTimestamp', [Math.max(at, (await bench.newestSecond()) + DAY_SECONDS)]);
    await provider.send('evm_mine', []);
    expect(await find({}, {}, 0, true)).toBeNull();
  });

  test('finds a funding that the log shows as refused or lost', async () => {
    for (const status of ['refused', 'lost', 'submitted']) {
      expect(await find({}, { status }, 9)).toBeNull();
      expect(await find({}, { status }, 11)).toContain(`funded on the chain by the transaction ${funding.hash}`);
    }
  });
});
