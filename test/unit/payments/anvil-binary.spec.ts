import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { anvilBinary } from '#libs/payments/devchain/dev-node.js';

test('the binary of the development chain is executable', () => {
  expect(() => accessSync(anvilBinary(), constants.X_OK)).not.toThrow();
});

test('a missing optional package is reported with the way to install it', () => {
  const elsewhere = join(tmpdir(), 'nowhere', 'module.js');
  expect(() => anvilBinary('linux-arm64', elsewhere)).toThrow(
    'CHAIN=dev needs the optional package @foundry-rs/anvil-linux-arm64, which is not installed. ' +
      'Run npm ci without --omit=optional, or set CHAIN=rpc.',
  );
});

test('an unsupported platform is reported', () => {
  expect(() => anvilBinary('sunos-x64')).toThrow('CHAIN=dev has no node for sunos-x64.');
});
