import { expect, test } from '@jest/globals';
import { readLastSeen } from '#libs/event-log/last-seen.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { event } from '../../contract/samples.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { waitUntil } from '../../wait-until.js';
import { openIssuer } from './open-issuer.js';

const at = temporaryFolder();
const open = () => openStores(readSettings({ DATA_DIR: at('data'), PORT: '1' }));
const append = async ({ log }: Stores, name: string) => {
  const { position, id } = (await log.append('job-seen', 'any', [event('job-seen', name)]))[0]!;
  return { position, id };
};

test('the last event that a process has seen is saved while it runs', async () => {
  const stores = await open();
  const seen = await append(stores, 'first');
  await waitUntil(async () => (await readLastSeen(stores.vault))?.id === seen.id);
  await stores.close();
});

test('a process that ends last keeps the later event that another one has seen', async () => {
  const idle = await open();
  await openIssuer(idle);
  await append(idle, 'first');
  const busy = await open();
  const seen = await append(busy, 'second');
  await busy.close();
  expect(await readLastSeen(idle.vault)).toEqual(seen);
  await idle.close();
  const next = await open();
  expect(await readLastSeen(next.vault)).toEqual(seen);
  await next.close();
});
