import { describe, expect, test } from '@jest/globals';
import { SigningKey, Transaction } from 'ethers';
import type { Rail, TransferAuthorization } from '#libs/payments/chain.port.js';
import { expectedDomainSeparator, transferAuthorizationDigest } from '#libs/payments/ethers.chain.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { transferCall } from '#libs/payments/eip3009.js';
import { RAILS } from '#libs/payments/rails.js';
import { recoverSigner } from '#libs/payments/signature-check.js';
import { authorizationOf, type ChainBench, chainBenches, devChains, PAYEE, signAs } from './chain.bench.js';
import { sends } from './chain.sending.js';
import { settles } from './chain.settling.js';

/** Values of the tokens on their main nets. */
const MAINNET_SEPARATORS: { readonly [rail: string]: string } = {
  'usdc-base': '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  'usdg-robinhood': '0x7a3d7400b27830f4f91c2c16a082486d67c1befecaec2f53b33f1f35d5b62036',
};
/** Error messages of each token. */
const WORDS: { readonly [rail: string]: { [what: string]: string } } = {
  'usdc-base': {
    balance: 'ERC20: transfer amount exceeds balance',
    expired: 'FiatTokenV2: authorization is expired',
    early: 'FiatTokenV2: authorization is not yet valid',
    signature: 'FiatTokenV2: invalid signature',
  },
  'usdg-robinhood': {
    balance: 'InsufficientFunds',
    expired: 'AuthorizationExpired',
    early: 'AuthorizationInvalid',
    signature: 'InvalidSignature',
  },
};

const dev = devChains();

describe.each(RAILS.map(rail => [rail.name, rail] as const))('a chain with %s', (_, rail) => {
  const at = chainBenches(rail, dev);
  tells(rail, at);
  settles(rail, at);
  sends(rail, at);
});

function tells(rail: Rail, at: () => ChainBench): void {
  const words = WORDS[rail.name]!;

  test('the token has the domain separator of the main net', async () => {
    const { chain } = at();
    expect(await chain.domainSeparator()).toBe(MAINNET_SEPARATORS[rail.name]);
    expect(expectedDomainSeparator(rail)).toBe(MAINNET_SEPARATORS[rail.name]);
  });

  test('the payer is recovered from a valid signature only', async () => {
    const { payer, authorize } = at();
    const { authorization, signature } = authorize();
    const recover = (changes: Partial<TransferAuthorization>, by = signature) =>
      recoverSigner(transferAuthorizationDigest(rail, { ...authorization, ...changes }), by);
    expect(await recover({})).toBe(payer.address);
    expect(await recover({ value: '1' })).not.toBe(payer.address);
    expect(await recover({}, `${signature}00`)).toBeNull();
    expect(await recover({}, `0x${'00'.repeat(65)}`)).toBeNull();
    expect(await recover({}, 'no signature')).toBeNull();
  });

  test('transactions have the signature that ethers makes', async () => {
    const { chain, payer } = at();
    const authorization = authorizationOf(payer.address);
    const { raw } = await chain.sign(transferCall(rail, authorization, signAs(payer, rail, authorization)), 7);
    const { unsignedHash, signature } = Transaction.from(raw);
    expect(signature?.serialized).toBe(new SigningKey(DEV_RELAYER_KEY).sign(unsignedHash).serialized);
  });

  test('an observation reads the newest block in two round trips', async () => {
    const { chain, payer, proxy } = at();
    const authorization = authorizationOf(payer.address);
    const seen = await chain.observe(payer.address, authorization.nonce);
    expect(seen).toMatchObject({ used: false, balance: 1_000_000_000n, signature: null });
    expect(Math.abs(seen.timestamp - Date.now() / 1_000)).toBeLessThan(60);
    expect(proxy.seen).toEqual([['eth_getBlockByNumber'], ['eth_call', 'eth_call', 'eth_getCode']]);
  });

  test('the token explains why a transfer would fail', async () => {
    const { chain, payer } = at();
    const reason = async (changes: Partial<TransferAuthorization>) => {
      const authorization = authorizationOf(payer.address, changes);
      return chain.simulate(transferCall(rail, authorization, signAs(payer, rail, authorization)));
    };
    const now = Math.floor(Date.now() / 1_000);
    expect(await reason({ value: '1000000001' })).toBe(words['balance']);
    expect(await reason({ validBefore: String(now - 1) })).toBe(words['expired']);
    expect(await reason({ validAfter: String(now + 100) })).toBe(words['early']);
    expect(await reason({ from: PAYEE })).toBe(words['signature']);
  });

  test('a recent signature is valid on an idle chain', async () => {
    const { chain, payer, node, dev } = at();
    const now = Math.floor(Date.now() / 1_000);
    await dev.setClockOffset(-3_600_000);
    await node.call('evm_setTime', now);
    const authorization = authorizationOf(payer.address);
    expect(await chain.simulate(transferCall(rail, authorization, signAs(payer, rail, authorization)))).toBeNull();
    await dev.setClockOffset(0);
  });
}
