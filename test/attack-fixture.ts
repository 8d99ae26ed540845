import { DescribedService, type Operation } from './described-service.js';
import { collectedMemory } from './heap.js';
import { Attacker } from './hostile-requests.js';
import { type HeaderFields, quickstart, type RawAgent, send } from './raw-agent.js';
import { World } from './world.js';

/** Operations signed with the key in their body, which ignore tokens. */
export const NEW_KEY_OPERATIONS = ['register', 'identity'];
/** No token or key of an agent calls these. */
export const OTHER_KEY_OPERATIONS = [...NEW_KEY_OPERATIONS, 'recover'];

/** Service with a job, a signing agent, an agent with a token and a heap measurement. */
export class AttackFixture {
  private constructor(
    readonly world: World,
    readonly api: DescribedService,
    readonly agent: RawAgent,
    readonly token: HeaderFields,
    readonly role: string,
    private readonly heap: number,
    readonly attacker = new Attacker(api),
  ) {}

  static async start(): Promise<AttackFixture> {
    const world = await World.start({ settings: { SECURITY_CONTACT: 'mailto:security@example.org' } });
    const api = await DescribedService.of(world.url);
    const agent = await world.raw('attacker');
    const { headers } = await quickstart(world.url, { name: 'bearer', kind: 'attacker' });
    const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
    const { body } = await agent.post('job', job);
    // A first task request creates a task and later ones return it, so that only attacks can write afterwards.
    await Promise.all([agent.post('instant'), send(world.url, '/api/instant', { body: {}, headers })]);
    await world.settle();
    return new AttackFixture(world, api, agent, headers, body['role'] as string, heapUsed());
  }

  get writes(): Operation[] {
    return this.api.operations.filter(({ method }) => method === 'post');
  }

  get acting(): Operation[] {
    return this.writes.filter(({ id }) => id !== 'faucet');
  }

  get reads(): Operation[] {
    // A command sent by GET is a write.
    return this.api.operations.filter(({ method, codes }) => method === 'get' && !codes.includes('unsigned'));
  }

  head(): Promise<string> {
    return this.world.service.stores.log.head();
  }

  heapGrowth(): number {
    return heapUsed() - this.heap;
  }
}

const heapUsed = () => collectedMemory().heapUsed;

export const is4xx = (status: number) => status >= 400 && status < 500;
