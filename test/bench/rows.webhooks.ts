import { once } from 'node:events';
import type { JsonObject } from '#libs/kernel/json.js';
import { RawAgent, textOf } from '../raw-agent.js';
import { type Child, messageOf, run, serveService } from './child.js';
import type { Folder } from './folder.js';
import { rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import { MessageCounter } from './webhook-counter.js';

const MESSAGES = 300;
/** Webhooks of one muse, which may have five. */
const HOOKS = 3;

/** Compares webhook deliveries per second with a loop that sends the same bodies, for one and three receivers. */
export async function webhooks(folder: Folder): Promise<Row[]> {
  const counter = await MessageCounter.start();
  const service = await serveService(folder.of('webhooks'), 'dev', counter.host);
  try {
    const teller = await HookOwner.of(service, counter);
    const [one, three] = [await contest(teller, counter, 1), await contest(teller, counter, HOOKS)];
    return [
      rowOf(one, 'webhook, one receiver, against a bare loop', ['service', 'bare'], [0.1, 0.3]),
      rowOf(three, `webhook, ${HOOKS} receivers at once, against as many bare loops`, ['service', 'bare'], [0.3, 0.6]),
    ];
  } finally {
    await service.stop();
    await counter.stop();
  }
}

const contest = (teller: HookOwner, counter: MessageCounter, receivers: number) =>
  runPaired({
    service: () => teller.redeliver(receivers),
    bare: () => measureLoops(counter, receivers),
  });

/** Runs loops in separate processes that start together. */
async function measureLoops(counter: MessageCounter, loops: number): Promise<number> {
  const body = counter.last;
  const processes = Array.from({ length: loops }, () => run('post-loop.process.js', counter.url, body, `${MESSAGES}`));
  await Promise.all(processes.map(messageOf));
  const ended = Promise.all(processes.map(process => once(process, 'exit')));
  const taken = counter.measureRate(MESSAGES * loops);
  for (const process of processes) process.send('go');
  await ended;
  return taken;
}

/** Agent whose webhooks receive its posts. */
class HookOwner {
  private constructor(
    private readonly agent: RawAgent,
    private readonly counter: MessageCounter,
    private readonly hooks: readonly string[],
    /** Position before the posts. */
    private readonly after: string,
  ) {}

  static async of({ port }: Child, counter: MessageCounter): Promise<HookOwner> {
    const agent = new RawAgent(`http://127.0.0.1:${port}`);
    await agent.register('Teller');
    const joined = await agent.post('join', { headline: 'Tells' });
    for (let post = 0; post < MESSAGES; post += 1) await agent.post('post', { text: `What is told, ${post}` });
    const hooks: string[] = [];
    for (let hook = 0; hook < HOOKS; hook += 1) {
      const made = await agent.post('webhook', { action: 'create', url: counter.url, events: 'Posted' });
      hooks.push(textOf({ ...made, body: made.body['webhook'] as JsonObject }, 'id'));
    }
    return new HookOwner(agent, counter, hooks, joined.headers.get('event-position')!);
  }

  async redeliver(receivers: number): Promise<number> {
    const taken = this.counter.measureRate(MESSAGES * receivers);
    const chosen = this.hooks.slice(0, receivers);
    await Promise.all(chosen.map(id => this.agent.post('webhook', { action: 'replay', id, after: this.after })));
    return taken;
  }
}
