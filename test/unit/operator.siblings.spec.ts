import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCheck } from '#apps/operator/doctor/check.js';
import { checkSiblings } from '#apps/operator/doctor/service.js';
import { readSettings } from '#libs/setup/settings.js';
import { SiblingNetwork } from '../sibling-network.js';

let network: SiblingNetwork;
beforeEach(async () => {
  network = await SiblingNetwork.start();
});
afterEach(() => network.stop());

const found = (environment: { [name: string]: string }) =>
  runCheck('siblings', 'Look at it.', () => checkSiblings(readSettings(environment)));

test('the doctor reports nothing without a sibling network', async () => expect(await found({})).toEqual([]));

test('the doctor accepts a sibling network that responds', async () =>
  expect(await found({ SIBLING_URL: network.url })).toMatchObject([{ name: 'siblings', ok: true }]));

test('the doctor reports a sibling network that returns an error', async () => {
  network.faultyAnswer = response => void response.writeHead(500).end();
  expect(await found({ SIBLING_URL: network.url })).toMatchObject([
    { name: 'siblings', ok: false, sentence: expect.stringContaining('500') },
  ]);
});

test('the doctor reports a missing file of identities', async () =>
  expect(await found({ SIBLING_FILE: '/nowhere/identities.json' })).toMatchObject([
    { name: 'siblings', ok: false, advice: 'Look at it.' },
  ]));
