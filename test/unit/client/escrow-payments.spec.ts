import { expect, test } from '@jest/globals';
import { AbiCoder, keccak256, verifyTypedData, Wallet, ZeroAddress } from 'ethers';
import { EscrowIgnored, KNOWN_ESCROWS, PaymentDeclined } from '#libs/client/index.js';
import { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';
import { INFO, TYPEHASH } from '../../contract/escrow.values.js';
import { entry, FakeTime, JOB, keyed, NOW, offered, PAYEE, paymentOf, WALLET } from './fixtures.js';
import { against, ok } from './scripted-service.js';

const PAID = ok({ role: 'job-1', paid: true, payment: null });
const OPERATOR = '0x3333333333333333333333333333333333333333';
const DAY_S = 86_400;
const DEADLINE = NOW / 1_000 + 20 * DAY_S;
const { escrow, collector } = ESCROW_CONTRACTS['v1.1'];
const TOKEN = { name: 'USD Coin', version: '2' };
const EXTRA = {
  ...TOKEN,
  captureAuthorizer: OPERATOR,
  feeRecipient: ZeroAddress,
  captureDeadline: DEADLINE,
  refundDeadline: DEADLINE,
  minFeeBps: 0,
  maxFeeBps: 0,
  authCaptureEscrow: escrow,
  paymentFlow: 'escrow',
  captureMode: 'deferred',
};
const escrowEntry = (extra: object = {}) =>
  entry('usdc-base', '500000', { scheme: 'auth-capture', extra: { ...EXTRA, ...extra } });

test('the known escrows are the contracts that the service offers', () => {
  expect(KNOWN_ESCROWS).toEqual(Object.values(ESCROW_CONTRACTS).map(each => ({ ...each, chainId: 8453 })));
});

test('an escrow is paid by an authorization for its collector, bound to all terms', () =>
  against([offered([escrowEntry()]), PAID], async service => {
    await keyed(service, { ...new FakeTime().options, wallet: WALLET }).job(JOB);
    const { payload } = paymentOf(service.seen[1]!);
    const { authorization, signature, salt } = payload as typeof payload & { readonly salt: string };
    const validBefore = NOW / 1_000 + 300;
    const terms = { operator: OPERATOR, payer: ZeroAddress, receiver: PAYEE, token: entryAsset() };
    const times = { preApprovalExpiry: validBefore, authorizationExpiry: DEADLINE, refundExpiry: DEADLINE };
    const fees = { minFeeBps: 0, maxFeeBps: 0, feeReceiver: ZeroAddress };
    const info = { ...terms, maxAmount: 500_000, ...times, ...fees, salt };
    const encode = (types: string[], values: unknown[]) => keccak256(AbiCoder.defaultAbiCoder().encode(types, values));
    const infoHash = encode(['bytes32', INFO], [TYPEHASH, info]);
    const nonce = encode(['uint256', 'address', 'bytes32'], [8453, escrow, infoHash]);
    expect(authorization).toMatchObject({ to: collector, value: '500000', validBefore: String(validBefore), nonce });
    const types = { from: 'address', to: 'address', value: 'uint256', validAfter: 'uint256', validBefore: 'uint256' };
    const members = Object.entries({ ...types, nonce: 'bytes32' }).map(([name, type]) => ({ name, type }));
    const domain = { ...TOKEN, chainId: 8453, verifyingContract: entryAsset() };
    const signer = verifyTypedData(domain, { ReceiveWithAuthorization: members }, authorization, signature);
    expect(signer).toBe(new Wallet(WALLET).address);
  }));

test.each([
  ['an unknown contract', { authCaptureEscrow: OPERATOR }],
  ['a fee', { maxFeeBps: 1 }],
  ['a receiver of fees', { feeRecipient: OPERATOR }],
  ['no account that releases', { captureAuthorizer: undefined }],
  ['another deadline for a return', { refundDeadline: DEADLINE + 1 }],
  ['a deadline that has passed', { captureDeadline: NOW / 1_000, refundDeadline: NOW / 1_000 }],
  ['a deadline in a year', { captureDeadline: DEADLINE + 365 * DAY_S, refundDeadline: DEADLINE + 365 * DAY_S }],
])('the offer of an escrow with %s is not signed', (_case, extra) =>
  against([offered([escrowEntry(extra)])], async service => {
    const paying = keyed(service, { ...new FakeTime().options, wallet: WALLET }).job(JOB);
    const error = await paying.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentDeclined);
    expect((error as PaymentDeclined).code).toBe('unknown_offer');
  }),
);

const entryAsset = () => (escrowEntry() as { readonly asset: string }).asset;

test.each([
  ['with an escrow', true, true],
  ['without an escrow', undefined, false],
])('a job %s meets a service that does not know the field', async (_case, escrow, throws) => {
  const answer = { role: 'job-1', ignored: ['escrow', 'work_days'] };
  await against([ok(answer)], async service => {
    const outcome = await keyed(service)
      .job({ ...JOB, escrow })
      .catch((thrown: unknown) => thrown);
    if (!throws) return void expect(outcome).toMatchObject(answer);
    expect(outcome).toBeInstanceOf(EscrowIgnored);
    const message = 'This service has no escrow: it posted job-1 without one. Close it if the wage has to be held.';
    expect(outcome).toMatchObject({ code: 'escrow_ignored', message, answer });
  });
});

test('an ignored escrow is noticed after a lost answer and a payment too', () =>
  against(
    [offered([entry('usdc-base', '500000')]), 'lost', ok({ role: 'job-1', ignored: ['escrow'] })],
    async service => {
      const options = { ...new FakeTime().options, wallet: WALLET };
      await expect(keyed(service, options).job({ ...JOB, escrow: true })).rejects.toThrow(EscrowIgnored);
    },
  ));
