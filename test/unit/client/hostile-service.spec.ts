import { expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { entry, FakeTime, JOB, keyed, NOW, offered, paymentOf, WALLET } from './fixtures.js';
import { against, refused, type ScriptedService, type Seen, type Step } from './scripted-service.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OFFER = [entry('usdc-base', '1000000')];
const isPaid = ({ headers }: Seen) => headers['payment-signature'] !== undefined;
const wrongTime = (serverTime: unknown) => refused(401, 'timestamp_out_of_window', { server_time: serverTime });

const tried = (agent: AgentClient) => agent.job(JOB).catch((error: unknown) => error);

/** Number of distinct 1 USD payments that were signed: the service could settle all of them. */
const signed = ({ seen }: ScriptedService) =>
  new Set(seen.filter(isPaid).map(({ headers }) => headers['payment-signature'])).size;

/** Refuses each payment and, once per operation, claims that the client's clock is fast or slow. */
function shifting(shiftMs: number): (seen: Seen) => Step {
  let ahead = false;
  const corrected = new Set<string>();
  return seen => {
    if (isPaid(seen)) return offered(OFFER, 'authorization_refused');
    const key = String(seen.headers['idempotency-key']);
    if (corrected.has(key)) return offered(OFFER);
    corrected.add(key);
    ahead = !ahead;
    return wrongTime(ahead ? NOW + shiftMs : NOW - shiftMs);
  };
}

test.each([
  ['half an hour', HOUR_MS / 2],
  ['a day', DAY_MS],
  ['a year', 365 * DAY_MS],
])('a service that shifts its clock by %s cannot collect more than the cap', (_time, shiftMs) =>
  against(shifting(shiftMs), async service => {
    const agent = keyed(service, { ...new FakeTime().options, wallet: WALLET });
    for (let operation = 0; operation < 25; operation += 1) await tried(agent);
    expect(signed(service)).toBeLessThanOrEqual(10);
  }),
);

test('a refused payment counts toward the cap even after it has expired', () =>
  against(
    seen => offered(OFFER, isPaid(seen) ? 'authorization_refused' : 'payment_required'),
    async service => {
      const time = new FakeTime();
      const agent = keyed(service, { ...time.options, wallet: WALLET });
      for (let operation = 0; operation < 10; operation += 1) {
        await tried(agent);
        time.now += HOUR_MS;
      }
      expect(signed(service)).toBe(10);
      expect(await tried(agent)).toMatchObject({ code: 'above_cap' });
    },
  ));

test('an authorization expires by the clock of the client, not of the service', () =>
  against([offered(OFFER), wrongTime(NOW + HOUR_MS), offered(OFFER, 'authorization_expired')], async service => {
    expect(await tried(keyed(service, { ...new FakeTime().options, wallet: WALLET }))).toMatchObject({ status: 402 });
    expect(signed(service)).toBe(1);
  }));

test('an expired authorization is replaced by a new authorization', () => {
  const time = new FakeTime();
  const late = (): Step => {
    time.now += 301_000;
    return offered(OFFER, 'authorization_expired');
  };
  return against(
    seen => (isPaid(seen) ? late() : offered(OFFER)),
    async service => {
      await tried(keyed(service, { ...time.options, wallet: WALLET }));
      const [first, second] = service.seen.filter(isPaid).map(seen => paymentOf(seen).payload.authorization);
      expect(Number(second!['validBefore']) - Number(first!['validBefore'])).toBe(301);
    },
  );
});

test('a client clock that is ahead does not expire a fresh authorization', () =>
  against([wrongTime(NOW - HOUR_MS), offered(OFFER), offered(OFFER, 'authorization_expired')], async service => {
    expect(await tried(keyed(service, { ...new FakeTime().options, wallet: WALLET }))).toMatchObject({ status: 402 });
    expect(signed(service)).toBe(1);
  }));

test.each([NOW + DAY_MS + 1, NOW - DAY_MS - 1, 1e308, -1, 'soon', null])(
  'a service time that no wrong clock explains (%p) is ignored',
  serverTime =>
    against([wrongTime(serverTime)], async service => {
      expect(await tried(keyed(service))).toMatchObject({ code: 'timestamp_out_of_window' });
    }),
);
