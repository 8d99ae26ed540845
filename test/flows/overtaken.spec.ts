import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Reply } from '../raw-agent.js';
import { SHOP } from '../shop.js';
import type { Signature, Till } from '../till.js';
import { Wires } from '../wires.js';
import { CLEAN, World } from '../world.js';

/** Two payments for one thing, of which the first goes through while the second is still being checked. */
const wires = new Wires(30 * SECOND_MS);
const LOOK_MS = 5;
let world: World;
beforeAll(async () => {
  world = await World.start({ overrides: { chains: wires.chains } });
});
afterEach(() => wires.mend());
afterAll(async () => {
  await world.stop();
  await wires.stop();
});

async function asked(till: Till, method: string): Promise<void> {
  while (!wires.of(till.basket.rail).seen.flat().includes(method)) await new Promise(done => setTimeout(done, LOOK_MS));
}

/** What both are answered where `first` is sent once the chain was asked about `second`, which then waits for it. */
async function overtaken(till: Till, first: Signature, second: Signature): Promise<[Reply, Reply]> {
  const wire = wires.of(till.basket.rail);
  let letGo = () => {};
  wires.mend();
  wire.set({ until: new Promise<void>(resolve => (letGo = resolve)) }, { method: 'eth_call', times: 1 });
  const late = till.pay(second);
  await asked(till, 'eth_call');
  const early = await till.pay(first);
  letGo();
  return [early, await late];
}

describe.each(['pay', 'verify', 'identity'])('of two payments for one %s', name => {
  test.each(['usdc-base', 'usdg-robinhood'])('the one that comes too late charges nobody on %s', async rail => {
    const till = await SHOP[name]!(world, rail);
    const [first, second] = [await till.sign(), await till.sign()];
    const [early, late] = await overtaken(till, first, second);
    const { tx } = early.body['payment'] as { readonly tx: string };
    expect([early.status, early.body['paid']]).toEqual([200, true]);
    expect(await till.charged(first)).toMatchObject([{ tx }]);
    expect(late).toMatchObject({ status: 200, body: { payment: null } });
    expect(await till.story(second)).toEqual(['PaymentAccepted', 'PaymentRefused']);
    expect(await till.pay(second)).toMatchObject({ status: 200, body: { payment: null } });
    expect((await till.pay(first)).body).toEqual(early.body);
  });
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
