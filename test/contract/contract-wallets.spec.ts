import { describe, expect, test } from '@jest/globals';
import { Transaction, Wallet } from 'ethers';
import type { SmartAccount } from 'viem/account-abstraction';
import type { TransferAuthorization } from '#libs/payments/chain.port.js';
import { transferAuthorizationDigest, type EthersChain } from '#libs/payments/ethers.chain.js';
import { EXACT } from '#libs/payments/exact.js';
import { MULTICALL } from '#libs/payments/multicall.js';
import { RAILS } from '#libs/payments/rails.js';
import { createSmartWallet, deployWallet, signAsWallet, type WalletOwner } from '../smart-wallet.js';
import { authorizationOf, chainBenches, devChains, signAs, VALUE } from './chain.bench.js';

const [USDG, BASE] = [RAILS[0]!, RAILS[1]!];
const GAS_MAX = 1_500_000n;
const ACCEPTS = '0x631626ba7e60e01b60005260206000f3';
const REFUSING: [string, string][] = [
  ['stops', '0x00'],
  ['reverts', '0x60006000fd'],
  ['is invalid', '0xfe'],
  ['never ends', '0x5b600056'],
  ['returns another word', '0x631626ba7f60e01b60005260206000f3'],
  ['returns too much', '0x62fffff06000f3'],
  ['jumps nowhere', '0x60ff56'],
  ['uses more of the stack than there is', '0x01'],
];

const dev = devChains();
const at = chainBenches(BASE, dev);

interface SignedTransfer {
  readonly authorization: TransferAuthorization;
  readonly signature: string;
}

async function authorizeAs(wallet: SmartAccount): Promise<SignedTransfer> {
  const authorization = authorizationOf(wallet.address);
  return { authorization, signature: await signAsWallet(wallet, BASE, authorization) };
}

async function fundedWallet(owner?: WalletOwner) {
  const wallet = await createSmartWallet(dev().rpc['base']!, owner);
  await dev().fundWallet(wallet.address);
  return wallet;
}

async function deploy(wallet: SmartAccount) {
  const [from] = (await at().node.call('eth_accounts')) as string[];
  await deployWallet(wallet, (to, data) => at().node.call('eth_sendTransaction', { from, to, data }));
}

function observe(chain: EthersChain, { authorization, signature }: SignedTransfer, rail = BASE) {
  const digest = transferAuthorizationDigest(rail, authorization);
  return chain.observe(authorization.from, authorization.nonce, { payer: authorization.from, digest, signature });
}

const settlingCall = ({ authorization, signature }: SignedTransfer, rail = BASE) =>
  EXACT.settlingCall(rail, { ...authorization, signature });
const simulate = (chain: EthersChain, signed: SignedTransfer, rail = BASE) =>
  chain.simulate(settlingCall(signed, rail));

async function pay({ authorization, signature }: SignedTransfer) {
  const { chain, mined } = at();
  const signed = await chain.sign(settlingCall({ authorization, signature }), await chain.nextRelayerNonce());
  await chain.broadcast(signed.raw);
  return { transaction: Transaction.from(signed.raw), receipt: await mined(signed.tx, authorization) };
}

describe.each<WalletOwner>(['key', 'passkey'])('a contract wallet whose owner is a %s', owner => {
  test('pays before it is deployed, and is deployed by its first payment', async () => {
    const { chain, node } = at();
    const wallet = await fundedWallet(owner);
    const [first, second] = [await authorizeAs(wallet), await authorizeAs(wallet)];
    expect(await observe(chain, first)).toMatchObject({ signature: 'valid', used: false });
    expect(await simulate(chain, first)).toBeNull();
    const { transaction, receipt } = await pay(first);
    expect(transaction).toMatchObject({ to: MULTICALL, gasLimit: GAS_MAX });
    expect(receipt).toMatchObject({ status: 'success', use: { paid: true } });
    expect(await chain.findUse(first.authorization, 0)).toEqual(receipt.use);
    expect(await node.call('eth_getCode', wallet.address, 'latest')).not.toBe('0x');
    expect(await observe(chain, second)).toMatchObject({ signature: 'valid' });
    const next = await pay(second);
    expect(next.transaction).toMatchObject({ to: BASE.asset, gasLimit: GAS_MAX });
    expect(next.receipt).toMatchObject({ use: { paid: true } });
    expect((await observe(chain, second)).balance).toBe(1_000_000_000n - 2n * BigInt(VALUE));
  });

  test('pays after it was deployed by another account', async () => {
    const { chain } = at();
    const wallet = await fundedWallet(owner);
    await deploy(wallet);
    const signed = await authorizeAs(wallet);
    expect(await observe(chain, signed)).toMatchObject({ signature: 'valid' });
    expect(await simulate(chain, signed)).toBeNull();
    expect((await pay(signed)).receipt).toMatchObject({ use: { paid: true } });
  });

  test('has not signed another amount', async () => {
    const { chain } = at();
    const wallet = await fundedWallet(owner);
    const { authorization, signature } = await authorizeAs(wallet);
    const altered = { authorization: { ...authorization, value: '1' }, signature };
    expect(await observe(chain, altered)).toMatchObject({ signature: 'invalid' });
    expect(await simulate(chain, altered)).toBe('FiatTokenV2: invalid signature');
    await deploy(wallet);
    expect(await observe(chain, altered)).toMatchObject({ signature: 'invalid' });
  });
});

test.each(REFUSING)('a payer whose code %s has signed nothing, which is no outage', async (_, code) => {
  const { chain, node, payer, authorize } = at();
  await node.call('anvil_setCode', payer.address, code).catch(ignoreNull);
  for (const signed of [authorize(), { ...authorize(), signature: `0x${'12'.repeat(100)}` }]) {
    expect(await observe(chain, signed)).toMatchObject({ signature: 'invalid' });
    expect(await simulate(chain, signed)).not.toBeNull();
  }
});

test('a deployment that burns all gas has signed nothing, which is no outage', async () => {
  const { chain, node } = at();
  const wallet = await fundedWallet();
  const { factory } = await wallet.getFactoryArgs();
  const signed = await authorizeAs(wallet);
  const code = await node.call('eth_getCode', factory!, 'latest');
  await node.call('anvil_setCode', factory!, '0x5b600056').catch(ignoreNull);
  try {
    expect(await observe(chain, signed)).toMatchObject({ signature: 'invalid' });
    expect(await simulate(chain, signed)).not.toBeNull();
  } finally {
    await node.call('anvil_setCode', factory!, code).catch(ignoreNull);
  }
});

test('a wallet that changes its answer before the broadcast loses nothing', async () => {
  const { chain, node, payer, mined, authorize } = at();
  await node.call('anvil_setCode', payer.address, ACCEPTS).catch(ignoreNull);
  const signed = { ...authorize(), signature: '0x1234' };
  expect(await observe(chain, signed)).toMatchObject({ signature: 'valid' });
  const { raw, tx } = await chain.sign(settlingCall(signed), await chain.nextRelayerNonce());
  await node.call('anvil_setCode', payer.address, '0x00').catch(ignoreNull);
  await chain.broadcast(raw);
  expect(await mined(tx, signed.authorization)).toMatchObject({ status: 'reverted', use: null });
  expect(await observe(chain, signed)).toMatchObject({ used: false, balance: 1_000_000_000n });
});

test('an EIP-7702 account pays if its delegate accepts its signature', async () => {
  const { chain, node, payer, settle, authorize } = at();
  const delegate = Wallet.createRandom().address;
  await node.call('anvil_setCode', payer.address, `0xef0100${delegate.slice(2)}`).catch(ignoreNull);
  expect(await observe(chain, authorize())).toMatchObject({ signature: 'invalid' });
  await node.call('anvil_setCode', delegate, ACCEPTS).catch(ignoreNull);
  const signed = authorize();
  expect(await observe(chain, signed)).toMatchObject({ signature: 'valid' });
  expect((await settle(signed.authorization)).receipt).toMatchObject({ use: { paid: true } });
});

describe('on a rail whose token only recovers signers', () => {
  const onUsdg = chainBenches(USDG, dev);

  test('an EIP-7702 account signs and pays like any other', async () => {
    const { chain, node, payer, settle, authorize } = onUsdg();
    await node.call('anvil_setCode', payer.address, `0xef0100${MULTICALL.slice(2)}`).catch(ignoreNull);
    const signed = authorize();
    expect(await observe(chain, signed, USDG)).toMatchObject({ signature: 'valid' });
    expect((await settle(signed.authorization)).receipt).toMatchObject({ use: { paid: true } });
  });

  test('a contract wallet cannot pay', async () => {
    const { chain, node, payer, authorize } = onUsdg();
    const long = { ...authorize(), signature: `0x${'12'.repeat(100)}` };
    expect(await observe(chain, long, USDG)).toMatchObject({ signature: 'unsupported' });
    expect(await simulate(chain, long, USDG)).not.toBeNull();
    await node.call('anvil_setCode', payer.address, ACCEPTS).catch(ignoreNull);
    const { authorization } = authorize();
    const signed = { authorization, signature: signAs(payer, USDG, authorization) };
    expect(await observe(chain, signed, USDG)).toMatchObject({ signature: 'unsupported' });
  });
});

/** Ignores the null that the node returns. */
const ignoreNull = () => undefined;
