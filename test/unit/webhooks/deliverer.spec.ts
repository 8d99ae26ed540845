import { afterEach, expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { WebhookMatcher } from '#libs/features/webhooks/webhook-matcher.js';
import { WebhookDeliverer } from '#libs/features/webhooks/deliverer.js';
import type { WebhookDelivery } from '#libs/features/webhooks/delivery.js';
import type { WebhookMessage } from '#libs/features/webhooks/forms.js';
import type { WebhookEndings } from '#libs/features/webhooks/webhook-endings.js';
import { endOfPosition, type WebhookOutbox } from '#libs/features/webhooks/webhook-outbox.js';
import { DeliveryBatch } from '#libs/features/webhooks/delivery-batch.js';
import type { LiveHook } from '#libs/features/webhooks/views/webhooks.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { TestClock } from '../../doubles/test-clock.js';
import { NOW } from '../../given.js';
import { benches, until } from '../documents/bench.js';

const MESSAGES = 100;
/** Messages per turn of a webhook. */
const OF_A_TURN = 10;
const QUIET_MS = 200;

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});
// Must run after the cleanup above, because it removes folders still in use.
const bench = benches();

const at = (message: number) => String(message).padStart(20, '0');
const UPTO = at(MESSAGES);

/** Produces one message at each position of the log for any webhook. */
const toldTo = {
  readAfter: async (_muse: string, _hook: unknown, { since }: { since: string }, upto: string, limit: number) => {
    const first = Number(since) + 1;
    const count = Math.min(limit, MESSAGES - first + 1);
    const messages = Array.from({ length: count }, (_, n) => ({ since: at(first + n), name: '!' }) as WebhookMessage);
    const last = messages.at(-1);
    return { messages, reached: last && last.since < upto ? last : endOfPosition(upto) };
  },
} as unknown as WebhookOutbox;

/** Starts a deliverer with 100 messages per webhook and a single read of the documents; counts deliveries. */
function delivers(...hooks: readonly (readonly [muse: string, webhook: number])[]): Map<string, number> {
  const counts = new Map<string, number>();
  const delivery = {
    findHook: async (muse: string) => ({ url: `https://${muse}.example/hook` }),
    attempt: async (muse: string, webhook: number) => {
      await new Promise(setImmediate);
      counts.set(`${muse}:${webhook}`, (counts.get(`${muse}:${webhook}`) ?? 0) + 1);
      return { kind: 'delivered', isLast: false };
    },
  } as unknown as WebhookDelivery;
  let [looks, endLook] = [0, (_position: string): void => undefined];
  const position = async () => ((looks += 1) === 1 ? UPTO : new Promise<string>(resolve => (endLook = resolve)));
  const concerned = {
    reset: () => undefined,
    match: async (_from: string, _to: string, { onMatch }: { onMatch: (muse: string, hook: LiveHook) => void }) =>
      hooks.forEach(([muse, webhook]) => onMatch(muse, { webhook, since: at(0), after: at(0) } as LiveHook)),
  } as unknown as WebhookMatcher;
  const clock = new TestClock(NOW);
  const deliverer = new WebhookDeliverer({
    store: bench().store,
    eventLog: new MemoryLog(),
    models: { position } as unknown as ReadModels,
    clock,
    matcher: concerned,
    batch: new DeliveryBatch(delivery, toldTo, {} as WebhookEndings, clock),
    log: { error: details => expect(details).toBeUndefined() },
  });
  deliverer.start();
  running.push(async () => {
    const stopped = deliverer.stop();
    endLook(UPTO);
    await stopped;
  });
  return counts;
}

test('delivers all messages of a webhook in consecutive turns', async () => {
  const counts = delivers(['alone', 1]);
  await until(() => counts.get('alone:1') === MESSAGES);
});

test('yields the slot of a webhook after its turn when another webhook waits', async () => {
  const counts = delivers(...[1, 2, 3, 4].map(webhook => ['many', webhook] as const), ['other', 1]);
  await until(() => counts.get('other:1') === MESSAGES);
  await new Promise(resolve => setTimeout(resolve, QUIET_MS));
  const [first, second, third, waiting] = [1, 2, 3, 4].map(webhook => counts.get(`many:${webhook}`));
  expect([first, second, third, waiting]).toEqual([OF_A_TURN, OF_A_TURN, OF_A_TURN, undefined]);
});

test('renews its lease during a long pass and stops when the lease is lost', async () => {
  const stores = bench();
  const { store, clock } = stores;
  const others: unknown[] = [];
  let seized = false;
  const asks = () => store.lease('webhook_queue', 'other', 7_000, clock.now());
  const between = async (_from: string, _to: string, { onPage }: { onPage: () => Promise<void> }) => {
    for (let page = 0; page < 4; page += 1) {
      clock.advance(5_000);
      await onPage();
      others.push(await asks());
    }
    await store.seize('webhook_queue', 'other', 7_000, clock.now());
    seized = true;
    clock.advance(5_000);
    await onPage();
    others.push('went on');
  };
  const errors: string[] = [];
  const deliverer = new WebhookDeliverer({
    store,
    eventLog: stores.log,
    models: { position: async () => UPTO } as unknown as ReadModels,
    clock,
    matcher: { reset: () => undefined, match: between } as unknown as WebhookMatcher,
    batch: {} as DeliveryBatch,
    log: { error: (_details, message) => void errors.push(message) },
  });
  deliverer.start();
  running.push(() => deliverer.stop());
  await until(() => seized && errors.length > 0);
  expect(others).toEqual([null, null, null, null]);
});
