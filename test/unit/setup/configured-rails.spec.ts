import { expect, test } from '@jest/globals';
import { configuredRails } from '#libs/setup/configured-rails.js';
import { readSettings } from '#libs/setup/settings.js';

const confirmations = (environment: { [name: string]: string }) =>
  Object.fromEntries(
    configuredRails(readSettings(environment)).map(({ short, confirmations }) => [short, confirmations]),
  );

test('each rail waits for the confirmations that are set for its chain, and for its own block without', () => {
  expect(confirmations({})).toEqual({ base: 1, robinhood: 1 });
  expect(confirmations({ BASE_CONFIRMATIONS: '5', ROBINHOOD_CONFIRMATIONS: '12' })).toEqual({ base: 5, robinhood: 12 });
});

test.each(['0', '-1', '1.5', 'safe'])('%j is no number of confirmations', value => {
  expect(() => readSettings({ BASE_CONFIRMATIONS: value })).toThrow('BASE_CONFIRMATIONS');
});
