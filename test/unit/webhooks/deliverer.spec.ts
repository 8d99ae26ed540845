import { afterEach, expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { ConcernedHooks } from '#libs/webhooks/concerned.js';
import { WebhookDeliverer } from '#libs/webhooks/deliverer.js';
import type { WebhookDelivery } from '#libs/webhooks/delivery.js';
import type { Told } from '#libs/webhooks/forms.js';
import type { WebhookEndings } from '#libs/webhooks/stopping.js';
import { endOf, type ToldTo } from '#libs/webhooks/told.js';
import { WebhookTurn } from '#libs/webhooks/turn.js';
import type { LiveHook } from '#libs/views/webhooks.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { TestClock } from '../../doubles/test-clock.js';
import { NOW } from '../../given.js';
import { benches, until } from '../documents/bench.js';

const MESSAGES = 100;
/** How many a hook is told before others have their turn. */
const OF_A_TURN = 10;
const QUIET_MS = 200;

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});
// Behind that, for it takes away what is still written into.
const bench = benches();

const at = (message: number) => String(message).padStart(20, '0');
const UPTO = at(MESSAGES);

/** One message at each position of the log, for whoever is asked for. */
const toldTo = {
  behind: async (_muse: string, _hook: unknown, { since }: { since: string }, upto: string, limit: number) => {
    const first = Number(since) + 1;
    const count = Math.min(limit, MESSAGES - first + 1);
    const told = Array.from({ length: count }, (_, n) => ({ since: at(first + n), name: '!' }) as Told);
    const last = told.at(-1);
    return { told, reached: last && last.since < upto ? last : endOf(upto) };
  },
} as unknown as ToldTo;

/**
 * A deliverer for whose hooks a hundred messages wait each, and that looks at the documents once: what it does behind
 * that follows from no other look. Answers how often each hook was told.
 */
function delivers(...hooks: readonly (readonly [muse: string, webhook: number])[]): Map<string, number> {
  const told = new Map<string, number>();
  const delivery = {
    hook: async (muse: string) => ({ url: `https://${muse}.example/hook` }),
    attempt: async (muse: string, webhook: number) => {
      await new Promise(setImmediate);
      told.set(`${muse}:${webhook}`, (told.get(`${muse}:${webhook}`) ?? 0) + 1);
      return { kind: 'delivered', isLast: false };
    },
  } as unknown as WebhookDelivery;
  let [looks, endLook] = [0, (_position: string): void => undefined];
  const position = async () => ((looks += 1) === 1 ? UPTO : new Promise<string>(resolve => (endLook = resolve)));
  const concerned = {
    forget: () => undefined,
    between: async (_from: string, _to: string, { tell }: { tell: (muse: string, hook: LiveHook) => void }) =>
      hooks.forEach(([muse, webhook]) => tell(muse, { webhook, since: at(0), after: at(0) } as LiveHook)),
  } as unknown as ConcernedHooks;
  const clock = new TestClock(NOW);
  const deliverer = new WebhookDeliverer({
    store: bench().store,
    eventLog: new MemoryLog(),
    models: { position } as unknown as ReadModels,
    clock,
    concerned,
    turn: new WebhookTurn(delivery, toldTo, {} as WebhookEndings, clock),
    log: { error: details => expect(details).toBeUndefined() },
  });
  deliverer.start();
  running.push(async () => {
    const stopped = deliverer.stop();
    endLook(UPTO);
    await stopped;
  });
  return told;
}

test('a hook for which a hundred messages wait is told all of them, one turn behind the other', async () => {
  const told = delivers(['alone', 1]);
  await until(() => told.get('alone:1') === MESSAGES);
});

test('a hook whose place another one waits for gives it away behind its turn', async () => {
  const told = delivers(...[1, 2, 3, 4].map(webhook => ['many', webhook] as const), ['other', 1]);
  await until(() => told.get('other:1') === MESSAGES);
  await new Promise(resolve => setTimeout(resolve, QUIET_MS));
  const [first, second, third, waiting] = [1, 2, 3, 4].map(webhook => told.get(`many:${webhook}`));
  expect([first, second, third, waiting]).toEqual([OF_A_TURN, OF_A_TURN, OF_A_TURN, undefined]);
});

test('what lies far behind is looked at in pieces, each of which is kept: no look outlasts its lease', async () => {
  const stores = bench();
  await stores.say(...Array.from({ length: 4_500 }, (_, n) => `word-${n}`));
  const head = await stores.log.head();
  const looked: { from: string; to: string }[] = [];
  const deliverer = new WebhookDeliverer({
    store: stores.store,
    eventLog: stores.log,
    models: { position: async () => head } as unknown as ReadModels,
    clock: stores.clock,
    concerned: {
      forget: () => undefined,
      between: async (from: string, to: string) => void looked.push({ from, to }),
    } as unknown as ConcernedHooks,
    turn: {} as WebhookTurn,
    log: { error: details => expect(details).toBeUndefined() },
  });
  deliverer.start();
  running.push(() => deliverer.stop());
  await until(() => looked.at(-1)?.to === head);
  expect(looked.map(({ from, to }) => Number(to) - Number(from))).toEqual([2_000, 2_000, 500]);
  expect(looked.slice(1).map(({ from }) => from)).toEqual(looked.slice(0, -1).map(({ to }) => to));
});
