import { describe, expect, test } from '@jest/globals';
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createWallet } from '../x402.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { useFaultyWorld } from '../faulty-rpc.js';
import { requireOk } from '../raw-agent.js';
import { verifySmartWallet } from '../purchases.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { createSmartWallet, type WalletOwner } from '../smart-wallet.js';

const RAIL = 'usdc-base';
const ACCEPTS = '0x631626ba7e60e01b60005260206000f3';
const REFUSES = '0x00';

const TIMING = { waitMs: 900, pollMs: 10, pollMsMax: 50, stuckMs: 400, resubmitMs: 200, watchMs: 10 * MINUTE_MS };
const { world, faultyRpc } = useFaultyWorld(TIMING);

const setCode = (wallet: string, code: string) =>
  world
    .token(RAIL)
    .call('anvil_setCode', wallet, code)
    .catch(() => undefined);
const codeOf = (wallet: string) => world.token(RAIL).call<string>('eth_getCode', wallet, 'latest');

describe.each<WalletOwner>(['key', 'passkey'])('a smart wallet whose owner is a %s', owner => {
  test('pays through the official client, and becomes the verified wallet', async () => {
    const wallet = await createSmartWallet(world.token(RAIL).rpc, owner);
    await world.fund(wallet.address);
    const agent = await world.raw(`smart ${owner}`);
    const client = new x402Client().register('eip155:8453', new ExactEvmScheme(wallet)).setSpendControls({
      allowedAssets: true,
      maxAmountPerPayment: false,
    });
    const paying = wrapFetchWithPayment(fetch, client);
    const post = async (endpoint: string, fields: object) => {
      const body = JSON.stringify(agent.signed(endpoint, fields as never));
      const response = await paying(`${world.url}/api/${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const answer = (await response.json()) as { payment: { tx: string } };
      expect([response.status, answer]).toEqual([200, expect.objectContaining({ ok: true, paid: true })]);
      const settled = decodePaymentResponseHeader(response.headers.get('payment-response')!);
      expect(settled).toMatchObject({ success: true, transaction: answer.payment.tx, payer: wallet.address });
      return answer;
    };
    expect(await post('verify', { wallet: wallet.address })).toMatchObject({ verified: true, wallet: wallet.address });
    expect(await codeOf(wallet.address)).not.toBe('0x');
    const { body: posted } = requireOk(await agent.post('post', { text: 'A passkey paid for this.' }));
    await post('promote', { post_id: `${posted['id'] as number}` });
    expect(await world.token(RAIL).transfers(wallet.address)).toHaveLength(2);
  });
});

test('a verified contract wallet receives paid messages', async () => {
  const reader = await verifySmartWallet(world);
  requireOk(await reader.buy());
  const { address } = reader.terms.wallet;
  const writer = await world.raw('writer');
  const fields = { to: reader.terms.agent.museId, text: 'Are you free on Monday?' };
  const message = new PurchaseFixture(world, {
    endpoint: 'message',
    agent: writer,
    wallet: writer.wallet,
    fields,
    rail: RAIL,
  });
  const payment = await message.sign();
  expect(await message.payUntilSettled(payment)).toMatchObject({ status: 200, body: { paid: true } });
  expect(payment.authorization.to.toLowerCase()).toBe(address.toLowerCase());
  expect(await message.transfers(payment)).toHaveLength(1);
});

test('two first payments of a wallet at the same time are each settled once', async () => {
  const verification = await verifySmartWallet(world);
  const { agent, wallet } = verification.terms;
  const { body: posted } = requireOk(await agent.post('post', { text: 'Look at this.' }));
  const fields = { post_id: `${posted['id'] as number}` };
  const promotion = new PurchaseFixture(world, { endpoint: 'promote', agent, wallet, fields, rail: RAIL });
  const purchases = [verification, promotion];
  const payments = [await verification.sign(), await promotion.sign()];
  const replies = await Promise.all(purchases.map((purchase, at) => purchase.payUntilSettled(payments[at]!)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(await world.token(RAIL).transfers(wallet.address)).toHaveLength(2);
});

let made = 0;
/** Prepares a verification of a wallet that has code which accepts every signature. */
async function verifyAccepting() {
  const agent = await world.raw(`accepting ${(made += 1)}`);
  const wallet = createWallet();
  await world.fund(wallet.address);
  await setCode(wallet.address, ACCEPTS);
  const fields = { wallet: wallet.address };
  return new PurchaseFixture(world, { endpoint: 'verify', agent, wallet, fields, rail: RAIL });
}

test('a wallet that takes its signature back before the broadcast is not charged', async () => {
  const purchase = await verifyAccepting();
  const { wallet } = purchase.terms;
  const before = await purchase.token.balanceOf(wallet.address);
  const payment = await purchase.sign();
  faultyRpc.of(RAIL).set('drop-before', { method: 'eth_sendRawTransaction' });
  expect(await purchase.pay(payment)).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
  await setCode(wallet.address, REFUSES);
  faultyRpc.mend();
  expect(await purchase.pay(payment)).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
  await world.advance(5.1 * MINUTE_MS);
  expect(await purchase.payUntilSettled(payment)).toMatchObject({
    status: 402,
    body: { code: 'authorization_expired' },
  });
  expect((await purchase.eventTypes(payment)).at(-1)).toBe('PaymentExpired');
  expect(await purchase.pay(await purchase.sign())).toMatchObject({ status: 402, body: { code: 'invalid_signature' } });
  expect(await purchase.token.balanceOf(wallet.address)).toBe(before);
});

test('a wallet that refuses for a while pays when it accepts again', async () => {
  const purchase = await verifyAccepting();
  const { wallet } = purchase.terms;
  const payment = await purchase.sign();
  faultyRpc.of(RAIL).set('drop-before', { method: 'eth_sendRawTransaction' });
  expect(await purchase.pay(payment)).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
  await setCode(wallet.address, REFUSES);
  faultyRpc.mend();
  expect(await purchase.pay(payment)).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
  await setCode(wallet.address, ACCEPTS);
  expect(await purchase.payUntilSettled(payment)).toMatchObject({ status: 200, body: { verified: true } });
  expect(await purchase.transfers(payment)).toHaveLength(1);
});
