import { expect, test } from '@jest/globals';
import { formatStartReport } from '#apps/gateway/start-report.js';
import { readSettings } from '#libs/setup/settings.js';

const address = 'http://127.0.0.1:3000';
const wallet = `0x${'1'.repeat(40)}`;
const service = { baseUrl: address, url: address, metricsUrl: null, chains: { settings: { serviceWallet: wallet } } };

test.each([
  ['dev', true],
  ['rpc', false],
] as const)('the report of a start with CHAIN=%s offers the demo of play money: %s', (chain, isOffered) => {
  const settings = { ...readSettings({}), chain };
  const report = formatStartReport(service as unknown as Parameters<typeof formatStartReport>[0], [], settings);
  expect(/^ {2}.*\bdemo\b.* runs a paid job/m.test(report)).toBe(isOffered);
});
