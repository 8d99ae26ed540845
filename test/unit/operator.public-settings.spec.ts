import { expect, test } from '@jest/globals';
import { checkPublicSettings } from '#apps/operator/doctor/public-address.js';
import { readSettings } from '#libs/setup/settings.js';

const found = async (environment: { [name: string]: string }) => {
  const checks = await checkPublicSettings(readSettings(environment));
  return checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence.split(' ')[0]);
};

test.each(['https://jobs.example', 'https://8.8.8.8', 'https://[2606:4700::1111]:8443/network'])(
  'at %s the doctor objects to the default tag, dev chain and missing contact',
  async address => {
    expect(await found({ BASE_URL: address })).toEqual(['MESSAGE_TAG', 'CHAIN', 'SECURITY_CONTACT']);
    const own = { BASE_URL: address, MESSAGE_TAG: 'jobs-v1' };
    expect(await found({ ...own, SECURITY_CONTACT: 'mailto:security@jobs.example' })).toEqual(['CHAIN']);
    expect(await found({ ...own, MAIL_DOMAIN: 'jobs.example' })).toEqual(['CHAIN']);
  },
);

test.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:1', 'http://10.0.0.7', 'http://jobs.internal'])(
  'the doctor accepts the default settings at %s',
  async address => expect(await found({ BASE_URL: address })).toEqual([]),
);

test('the doctor accepts the default settings without an address', async () => expect(await found({})).toEqual([]));

test('the doctor objects to a development service that other machines can reach', async () => {
  expect(await found({ HOST: '0.0.0.0' })).toEqual(['HOST=0.0.0.0']);
  expect(await found({ HOST: '0.0.0.0', BASE_URL: 'https://jobs.example' })).toContain('HOST=0.0.0.0');
});
