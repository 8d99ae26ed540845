import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import type { Reply } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { World } from '../world.js';

const TIMEOUT_MS = 90_000;
const RAIL = 'usdc-base';
/** Delay of a real server on a busy machine. */
const DELIVERY_MS = 15;

let double: EventStoreDouble;
afterAll(() => void (double.faults.deliveryDelayMs = 0));
const world = useWorld(async () => {
  double = await EventStoreDouble.start();
  return World.start({ settings: { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url } });
});
beforeAll(() => void (double.faults.deliveryDelayMs = DELIVERY_MS));
afterAll(() => double.kill());

interface Verification {
  readonly reply: Reply;
  readonly repeat: () => Promise<Reply>;
}

/** Sends two requests of one agent for one wallet, each with its own payment. */
async function verifyTwice(name: string, pauseMs: number): Promise<Verification[]> {
  const agent = await world.raw(name);
  const fields = { wallet: agent.wallet.address };
  const purchase = new PurchaseFixture(world, { agent, rail: RAIL, endpoint: 'verify', wallet: agent.wallet, fields });
  const payments = [await purchase.sign(), await purchase.sign()];
  const verifications = await Promise.all(
    payments.map(async (payment, at) => {
      await pause(at * pauseMs);
      const body = purchase.body();
      const repeat = () => purchase.payUntilSettled(payment, body);
      return { reply: await repeat(), repeat };
    }),
  );
  expect(await purchase.transfers(payments[0]!)).toHaveLength(1);
  return verifications;
}

test.each([0, 20, 40, 80, 160])(
  'two verifications of one agent end in verified, %i ms after each other',
  async pauseMs => {
    const verifications = await verifyTwice(`Twice ${pauseMs}`, pauseMs);
    for (const { reply, repeat } of verifications) {
      expect(reply).toMatchObject({ status: 200, body: { verified: true } });
      expect(await repeat()).toMatchObject({ status: 200, body: { verified: true, paid: reply.body['paid'] } });
    }
    expect(verifications.map(({ reply }) => reply.body['paid']).sort()).toEqual([false, true]);
  },
  TIMEOUT_MS,
);
