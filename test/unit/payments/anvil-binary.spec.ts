import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { anvilBinary } from '#libs/payments/devchain/anvil-binary.js';

test('the node of the development chain is a file that runs', () => {
  expect(() => accessSync(anvilBinary(), constants.X_OK)).not.toThrow();
});

test('without its optional package a sentence says what to install, or to do without', () => {
  const elsewhere = join(tmpdir(), 'nowhere', 'module.js');
  expect(() => anvilBinary('linux-arm64', elsewhere)).toThrow(
    'CHAIN=dev needs the optional package @foundry-rs/anvil-linux-arm64, which is not installed. ' +
      'Run npm ci without --omit=optional, or set CHAIN=rpc.',
  );
});

test('a platform that has no such node is named', () => {
  expect(() => anvilBinary('sunos-x64')).toThrow('CHAIN: the development chain has no node for sunos-x64.');
});
