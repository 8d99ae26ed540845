import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { Unavailable } from '#libs/kernel/refusal.js';
import { MongoConnection } from '#libs/platform/mongodb/connection.js';
import { MongodbDouble } from '../doubles/mongodb-double.js';
import { listen } from '../listen.js';

const SOON = 'serverSelectionTimeoutMS=300';

test.each(['', 'replicaSet=rs0&'])(
  'a server without a replica set is refused with the command to create one: ?%s',
  async set => {
    const server = await MongodbDouble.alone();
    const opening = MongoConnection.open(`mongodb://${server.address}/name?${set}${SOON}`, 'The vault');
    const error: unknown = await opening.catch((failure: unknown) => failure).finally(() => server.stop());
    expect(String(error)).toMatch(/not a member of a running replica set.*--replSet rs0.*rs\.initiate\(\)/);
    // Shows only the sentence at the start of a process.
    expect([(error as Error).constructor, (error as Error).cause]).toEqual([Error, undefined]);
  },
);

test.each(['', 'replicaSet=rs0&'])('an unreachable server is an outage within seconds: ?%s', async set => {
  const taken = createServer();
  const { host } = new URL(await listen(taken));
  await new Promise(resolve => taken.close(resolve));
  const opening = MongoConnection.open(`mongodb://${host}/name?${set}${SOON}`, 'The vault');
  await expect(opening).rejects.toThrow(Unavailable);
});
