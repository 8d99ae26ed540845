import { describe, expect, test } from '@jest/globals';
import { verifyTypedData, Wallet } from 'ethers';
import { type ClientOptions, type ConnectionLost, PaymentDeclined } from '#libs/client/index.js';
import { base64, entry, FakeTime, JOB, keyed, NOW, offered, PAYEE, paymentOf, tokened, WALLET } from './fixtures.js';
import { against, ok, refused } from './scripted-service.js';

const PAID = ok({ role: 'job-1', paid: true, payment: { tx: '0x1', network: 'base', payer: '0x2', amount: '500000' } });
const FAILED = { 'payment-response': base64({ success: false, errorReason: 'transfer_refused' }) };
const BOTH = [entry('usdg-robinhood', '500000'), entry('usdc-base', '500000')];

function paying(time = new FakeTime(), more: ClientOptions = {}): ClientOptions {
  return { ...time.options, wallet: WALLET, ...more };
}

describe('paying a 402', () => {
  test('sends the same signed body again with a payment header', () =>
    against([offered(BOTH), PAID], async service => {
      expect(await keyed(service, paying()).job(JOB)).toMatchObject({ role: 'job-1', paid: true });
      const [first, paid] = service.seen;
      expect(paid!.text).toBe(first!.text);
      expect(paid!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
      expect(first!.headers).not.toHaveProperty('payment-signature');
    }));

  test('signs the offered transfer for five minutes with the wallet (EIP-3009)', () =>
    against([offered(BOTH), PAID], async service => {
      await keyed(service, paying()).job(JOB);
      const { x402Version, accepted, payload } = paymentOf(service.seen[1]!);
      expect([x402Version, accepted]).toEqual([2, BOTH[1]]);
      const { authorization, signature } = payload;
      const payer = new Wallet(WALLET).address;
      const validBefore = String(NOW / 1_000 + 300);
      expect(authorization).toMatchObject({ from: payer, to: PAYEE, value: '500000', validAfter: '0', validBefore });
      const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
      const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: asset };
      const types = { from: 'address', to: 'address', value: 'uint256', validAfter: 'uint256', validBefore: 'uint256' };
      const TransferWithAuthorization = Object.entries({ ...types, nonce: 'bytes32' }).map(([name, type]) => ({
        name,
        type,
      }));
      expect(verifyTypedData(domain, { TransferWithAuthorization }, authorization, signature)).toBe(payer);
    }));

  test('uses the preferred rail and accepts any signer', () =>
    against([offered(BOTH), PAID], async service => {
      const options = paying(new FakeTime(), { rails: ['usdg-robinhood', 'usdc-base'], wallet: new Wallet(WALLET) });
      await tokened(service, options).job(JOB);
      expect(paymentOf(service.seen[1]!).accepted).toMatchObject({ network: 'eip155:4663' });
      expect(service.seen[1]!.headers['authorization']).toBe('Bearer service_tok_test');
    }));

  test('dates the authorization by the corrected clock', () => {
    const tooOld = refused(401, 'timestamp_out_of_window', { server_time: NOW + 3_600_000 });
    return against([tooOld, offered(BOTH), PAID], async service => {
      await keyed(service, paying()).job(JOB);
      expect(paymentOf(service.seen[2]!).payload.authorization['validBefore']).toBe(String(NOW / 1_000 + 3_900));
    });
  });
});

describe('a paid operation', () => {
  const pending = refused(409, 'settlement_pending', {}, { 'retry-after': '1', ...FAILED });

  test('sends the same payment again after any failure', () => {
    const outage = refused(503, 'payments_unavailable', {}, { 'retry-after': '2' });
    return against([offered(BOTH), 'lost', outage, pending, PAID], async service => {
      await keyed(service, paying()).job(JOB);
      const payments = service.seen.slice(1).map(({ headers }) => headers['payment-signature']);
      expect(payments).toHaveLength(4);
      expect(new Set(payments).size).toBe(1);
    });
  });

  test('sends the same payment with a fresh signature after the signature window', () =>
    against([offered(BOTH), pending, PAID], async service => {
      const time = new FakeTime();
      const options = { ...time.options, sleep: async () => void (time.now += 270_000), retry: { totalMs: 600_000 } };
      await keyed(service, { ...options, wallet: WALLET }).job(JOB);
      const [, first, second] = service.seen;
      expect(second!.headers['payment-signature']).toBe(first!.headers['payment-signature']);
      expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
      expect(second!.body['nonce']).not.toBe(first!.body['nonce']);
    }));

  test('sends the signed payment again when it is resumed', () =>
    against([offered(BOTH), 'lost', PAID], async service => {
      const agent = keyed(service, paying(new FakeTime(), { retry: { attemptsMax: 2 } }));
      const failure = (await agent.job(JOB).catch((error: unknown) => error)) as ConnectionLost;
      expect(await failure.resume!()).toMatchObject({ paid: true });
      expect(service.seen[2]!.headers['payment-signature']).toBe(service.seen[1]!.headers['payment-signature']);
    }));

  test.each([
    'insufficient_balance',
    'wrong_amount',
    'authorization_used',
    'authorization_spent',
    'authorization_expired',
  ])('signs no second payment after a 402 %s, since the first may settle', code => {
    const headers = code === 'authorization_spent' ? FAILED : {};
    return against([offered(BOTH), offered(BOTH, code, headers)], async service => {
      await expect(keyed(service, paying()).job(JOB)).rejects.toMatchObject({ status: 402, code });
    });
  });

  test.each([
    ['a failed settlement', offered(BOTH, 'transfer_refused', FAILED)],
    ['a refused authorization', offered(BOTH, 'authorization_refused')],
  ])('signs a second payment after %s, but not a third', (_case, final) =>
    against([offered(BOTH), final, final], async service => {
      await expect(keyed(service, paying()).job(JOB)).rejects.toMatchObject({ status: 402 });
      const [, first, second] = service.seen.map(({ headers }) => headers['payment-signature']);
      expect(second).not.toBe(first);
    }),
  );
});

describe('a payment', () => {
  const declined = async (options: ClientOptions, accepts = BOTH) => {
    let failure: unknown;
    await against([offered(accepts)], async service => {
      failure = await keyed(service, options)
        .job(JOB)
        .catch((error: unknown) => error);
    });
    expect(failure).toBeInstanceOf(PaymentDeclined);
    return failure as PaymentDeclined;
  };

  test('is declined without a wallet', async () => {
    expect(await declined(new FakeTime().options)).toMatchObject({
      code: 'no_wallet',
      message: expect.stringContaining('0.5 USD on usdc-base'),
    });
  });

  test('is declined above the cap of one payment', async () => {
    const failure = await declined(paying(new FakeTime(), { spendingCapUsd: { perPayment: '0.499999' } }));
    expect(failure.code).toBe('above_cap');
    expect(failure.message).toContain('This costs 0.5 USD, above the cap of 0.499999 USD');
  });

  test('is declined above the total cap, counting earlier payments', () =>
    against([offered(BOTH), PAID, offered(BOTH)], async service => {
      const agent = keyed(service, paying(new FakeTime(), { spendingCapUsd: { total: '0.9' } }));
      await agent.job(JOB);
      await expect(agent.job(JOB)).rejects.toMatchObject({
        code: 'above_cap',
        message: expect.stringContaining('0.5 USD signed so far'),
      });
    }));

  test('is declined above the total cap, counting refused payments', () =>
    against([offered(BOTH), offered(BOTH, 'transfer_refused', FAILED)], async service => {
      const agent = keyed(service, paying(new FakeTime(), { spendingCapUsd: { total: '0.9' } }));
      await expect(agent.job(JOB)).rejects.toMatchObject({ code: 'above_cap' });
    }));

  test.each<[string, object]>([
    ['another token', { asset: PAYEE }],
    ['another domain', { extra: { name: 'USD Coin', version: '3' } }],
    ['another network', { network: 'eip155:1' }],
    ['another scheme', { scheme: 'upto' }],
    ['a payee that is not an address', { payTo: 'me' }],
    ['a missing domain', { extra: undefined }],
    ['an amount that is not a text', { amount: 1 }],
    ['a missing lifetime', { maxTimeoutSeconds: undefined }],
    ['a lifetime of nothing', { maxTimeoutSeconds: 0 }],
  ])('is declined for %s', async (_case, changes) => {
    expect(await declined(paying(), [entry('usdc-base', '1', changes)])).toMatchObject({ code: 'unknown_offer' });
  });

  test('a payment is declined for a 402 without an offer', () =>
    against([refused(402, 'payment_required')], async service => {
      await expect(keyed(service, paying()).job(JOB)).rejects.toMatchObject({ code: 'unknown_offer' });
    }));
});
