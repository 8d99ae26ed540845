import { expect, test } from '@jest/globals';
import { configuredRails } from '#libs/setup/configured-rails.js';
import { readSettings } from '#libs/setup/settings.js';

const confirmations = (environment: { [name: string]: string }) =>
  Object.fromEntries(
    configuredRails(readSettings(environment)).map(({ short, confirmations }) => [short, confirmations]),
  );

test('each rail uses the confirmations of its chain and waits for one by default', () => {
  expect(confirmations({})).toEqual({ base: 1, robinhood: 1 });
  expect(confirmations({ BASE_CONFIRMATIONS: '5', ROBINHOOD_CONFIRMATIONS: '12' })).toEqual({ base: 5, robinhood: 12 });
});

test.each(['0', '-1', '1.5', 'safe'])('rejects %j as a number of confirmations', value => {
  expect(() => readSettings({ BASE_CONFIRMATIONS: value })).toThrow('BASE_CONFIRMATIONS');
});

const finality = (environment: { [name: string]: string }) =>
  Object.fromEntries(configuredRails(readSettings(environment)).map(({ short, finality }) => [short, finality]));

const RPC = {
  CHAIN: 'rpc',
  BASE_RPC_URL: 'http://127.0.0.1:1',
  ROBINHOOD_RPC_URL: 'http://127.0.0.1:2',
  RELAYER_KEY_FILE: 'key',
  SERVICE_WALLET: `0x${'1'.repeat(40)}`,
};

test('finality defaults to the safe block and to one block on a development chain', () => {
  expect(finality({})).toEqual({ base: 1, robinhood: 1 });
  expect(finality(RPC)).toEqual({ base: 'safe', robinhood: 'safe' });
  expect(finality({ ...RPC, BASE_FINALITY: '64', ROBINHOOD_FINALITY: 'safe' })).toEqual({
    base: 64,
    robinhood: 'safe',
  });
  expect(finality({ BASE_FINALITY: 'safe', ROBINHOOD_FINALITY: '3' })).toEqual({ base: 'safe', robinhood: 3 });
});

test.each(['0', '-1', '1.5', 'final', 'finalized'])('rejects %j as a finality', value => {
  expect(() => readSettings({ ROBINHOOD_FINALITY: value })).toThrow('ROBINHOOD_FINALITY');
});
