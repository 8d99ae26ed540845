import { expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { addressOf, newSecret, signHash } from '#libs/channels/pages/scripts/play-money/secp256k1.js';
import { hashTypedData } from '#libs/channels/pages/scripts/play-money/typed-data.js';
import type { TypedData } from '#libs/channels/pages/scripts/wallet.js';

const SECRETS = 20;
const typedOf = (type: string): TypedData => [
  { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  {
    [type]: [
      { name: 'from', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  { from: `0x${'0a'.repeat(20)}`, value: '500000', nonce: `0x${'00ff'.repeat(16)}` },
];

test.each([
  ['payment', 'TransferWithAuthorization'],
  ['payment into an escrow', 'ReceiveWithAuthorization'],
])('a play-money wallet signs a %s as ethers does, with the same address', async (_payment, type) => {
  const typed = typedOf(type);
  for (let at = 0; at < SECRETS; at += 1) {
    const secret = newSecret();
    const wallet = new Wallet(`0x${Buffer.from(secret).toString('hex')}`);
    expect(addressOf(secret)).toBe(wallet.address.toLowerCase());
    expect(signHash(secret, hashTypedData(...typed))).toBe(await wallet.signTypedData(...typed));
  }
});
