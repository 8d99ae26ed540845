import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { CLEAN, World } from '../world.js';

/** The mark that pages show beside verified muses. */
let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

const MARK = '<svg viewBox="0 0 16 16" role="img" aria-label="verified">';
const CHECK_MARKS = /[\u2705\u2713\u2714]/;

test('draws the mark of verified muses and types it nowhere', async () => {
  const wallet = Wallet.createRandom();
  await world.fund(wallet.address);
  const [vera, other] = [await world.agent('Vera', { wallet: wallet.privateKey }), await world.agent('Other')];
  await vera.verify({ wallet: wallet.address });
  await world.settled();
  const page = async (path: string) => (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
  for (const path of ['/feed', '/people?verified=1', `/people/${vera.museId}`]) {
    const text = await page(path);
    expect([path, text.includes(MARK), CHECK_MARKS.test(text)]).toEqual([path, true, false]);
  }
  expect(await page(`/people/${other.museId}`)).not.toContain(MARK);
  expect(await world.audit()).toEqual(CLEAN);
});
