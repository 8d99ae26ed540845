import { expect, test } from '@jest/globals';
import { openVault } from '#libs/setup/store-adapters.js';
import { readSettings } from '#libs/setup/settings.js';

const secret = 'mongodb://user:secret@127.0.0.1:1/name';

test.each([
  [`${secret}?tsl=false`, 'MONGODB_URL: the option tsl is unknown, or its value is invalid.'],
  [`${secret}?tls=flase`, 'MONGODB_URL: the option tls is unknown, or its value is invalid.'],
  [
    `${secret}?replicaSet=rs0&maxPoolSize=x`,
    'MONGODB_URL: the option maxPoolSize is unknown, or its value is invalid.',
  ],
  ['mongodb://user:sec@secret@host/name', 'MONGODB_URL: the address is invalid.'],
])('refuses %s and names the option', async (address, sentence) => {
  const opened = openVault(readSettings({ VAULT: 'mongodb', MONGODB_URL: address }));
  await expect(opened).rejects.toThrow(sentence);
  await expect(opened).rejects.not.toThrow('secret');
});
