import { expect, test } from '@jest/globals';
import { TokenOnChain } from '#apps/demo/token-on-chain.js';

const NOTHING_LISTENS = 'http://127.0.0.1:1';

test('a failed call names the chain and the method', async () => {
  const token = new TokenOnChain(NOTHING_LISTENS, '0x');
  await expect(token.hasPaid('0x')).rejects.toThrow(
    `The chain at ${NOTHING_LISTENS} did not answer eth_getTransactionReceipt: An RPC node did not answer.`,
  );
});
