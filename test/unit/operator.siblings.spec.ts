import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCheck } from '#apps/operator/doctor/check.js';
import { checkSiblings } from '#apps/operator/doctor/siblings.js';
import { readSettings } from '#libs/setup/settings.js';
import { SiblingNetwork } from '../sibling-network.js';

let network: SiblingNetwork;
beforeEach(async () => {
  network = await SiblingNetwork.start();
});
afterEach(() => network.stop());

const found = (environment: { [name: string]: string }) =>
  runCheck('siblings', 'Look at it.', () => checkSiblings(readSettings(environment)));

test('without a sibling network the doctor has nothing to look at', async () => expect(await found({})).toEqual([]));

test('a sibling network that answers is well, whoever it has', async () =>
  expect(await found({ SIBLING_URL: network.url })).toMatchObject([{ name: 'siblings', ok: true }]));

test('one that answers something else is named, with what it did', async () => {
  network.faultyAnswer = response => void response.writeHead(500).end();
  expect(await found({ SIBLING_URL: network.url })).toMatchObject([
    { name: 'siblings', ok: false, sentence: expect.stringContaining('500') },
  ]);
});

test('a file of identities that is not there is named', async () =>
  expect(await found({ SIBLING_FILE: '/nowhere/identities.json' })).toMatchObject([
    { name: 'siblings', ok: false, advice: 'Look at it.' },
  ]));
