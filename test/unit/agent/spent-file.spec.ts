import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { capWallet, SpentFile } from '#apps/agent/spent-file.js';
import { PaymentDeclined, type PaymentSigner } from '#libs/client/index.js';
import { makeFolder } from '../../temporary-folder.js';

const CAP = 10_000_000n;
let folder: string;
let path: string;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'identity.json.spent');
});

test('the total includes the amounts of earlier commands', () => {
  new SpentFile(path).commit(9_500_000n, CAP);
  new SpentFile(path).commit(500_000n, CAP);
  expect(new SpentFile(path).total()).toBe(CAP);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('an amount above the cap is declined and not counted, even across two commands', () => {
  const [one, other] = [new SpentFile(path), new SpentFile(path)];
  one.commit(9_500_000n, CAP);
  expect(() => other.commit(500_001n, CAP)).toThrow(PaymentDeclined);
  expect(() => other.commit(500_001n, CAP)).toThrow(
    'With the 9.5 USD signed so far it exceeds the total cap of 10 USD',
  );
  expect(one.total()).toBe(9_500_000n);
});

test('a wallet with a cap signs nothing above it', async () => {
  const signed: unknown[] = [];
  const wallet: PaymentSigner = {
    getAddress: () => Promise.resolve('0x1'),
    signTypedData: (_domain, _types, value) => {
      signed.push(value['value']);
      return Promise.resolve('0x2');
    },
  };
  const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: '0x3' };
  const sign = (value: string) => capWallet(wallet, new SpentFile(path), CAP).signTypedData(domain, {}, { value });
  expect(await sign('6000000')).toBe('0x2');
  await expect(sign('6000000')).rejects.toThrow(PaymentDeclined);
  expect(await sign('4000000')).toBe('0x2');
  expect(signed).toEqual(['6000000', '4000000']);
});
