import { expect, test } from '@jest/globals';
import { openVault } from '#libs/setup/store-adapters.js';
import { readSettings } from '#libs/setup/settings.js';

const secret = 'mongodb://user:secret@127.0.0.1:1/name';

test.each([
  [`${secret}?tsl=false`, 'MONGODB_URL: its option tsl is not known, or its value is wrong.'],
  [`${secret}?tls=flase`, 'MONGODB_URL: its option tls is not known, or its value is wrong.'],
  [
    `${secret}?replicaSet=rs0&maxPoolSize=x`,
    'MONGODB_URL: its option maxPoolSize is not known, or its value is wrong.',
  ],
  ['mongodb://user:sec@secret@host/name', 'MONGODB_URL: its address cannot be read.'],
])('refuses %s and names the option', async (address, sentence) => {
  const opened = openVault(readSettings({ VAULT: 'mongodb', MONGODB_URL: address }));
  await expect(opened).rejects.toThrow(sentence);
  await expect(opened).rejects.not.toThrow('secret');
});
