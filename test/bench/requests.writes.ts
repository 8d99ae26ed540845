import type { RequestFields } from '#libs/kernel/event.js';
import { REACTIONS } from '#libs/features/feed/domain/reaction.js';
import type { Server } from './arena.js';
import { DURABLE, type TokenHolder } from './token-holder.js';
import { fetchAll, type WireRequest, wire } from './load.js';
import { FEED_PATH } from './requests.reads.js';
import type { Signer } from './signer.js';

const MENTIONED = 10;

/** How a caller proves its identity. */
export type By = 'signature' | 'token';

/** Requests by signature and by token, each new to its server. */
export class Writes {
  private readonly used = new Map<string, number>();
  private items: readonly number[] | undefined;

  constructor(
    private readonly agents: readonly Signer[],
    private readonly roles: readonly string[],
    private readonly holders: readonly TokenHolder[],
    private readonly servicePort: number,
  ) {}

  applications(server: Server, count: number, by: By): WireRequest[] {
    const callers = by === 'token' ? this.holders.length : this.agents.length;
    return this.pairs(`${server} ${by}`, count, callers).map(([caller, role]) =>
      this.request('apply', by, caller, { role, note: `I would like to take this on and can begin at once: ${role}.` }),
    );
  }

  posts(server: Server, count: number, by: By): WireRequest[] {
    const text = (post: number) => `What I have learned today, ${post}: a page of a manual is best read aloud, twice.`;
    return this.each(server, 'post', count, by, post => ({ text: text(post) }));
  }

  /** Free jobs of callers that keep positions, or of plain ones. */
  jobs(server: Server, count: number, by: By, isPlain = false): WireRequest[] {
    const rest = { summary: 'One page, English to French.', done: 'A page at an address', skills: 'french' };
    const fieldsOf = (job: number) => ({ title: `Translate page ${job}`, ...rest });
    return this.each(server, 'job', count, by, fieldsOf, isPlain ? {} : DURABLE);
  }

  profileUpdates(server: Server, count: number, by: By): WireRequest[] {
    return this.each(server, 'profile', count, by, update => ({ headline: `Reads manuals aloud, ${update} by now` }));
  }

  /** Signed reactions of all agents, each different from the agent's last reaction. */
  async reactions(server: Server, count: number): Promise<WireRequest[]> {
    this.items ??= await feedItems(this.servicePort);
    const { items } = this;
    const first = this.next(`${server} reactions`, count);
    return Array.from({ length: count }, (_, at) => {
      const round = Math.floor((first + at) / this.agents.length);
      const type = REACTIONS[Math.floor(round / items.length) % REACTIONS.length]!;
      return this.request('react', 'signature', first + at, { post_id: String(items[round % items.length]!), type });
    });
  }

  inboxesWithNews(count: number): WireRequest[] {
    return Array.from({ length: count }, (_, at) => this.request('inbox', 'signature', at, { limit: '1' }));
  }

  inboxesWithoutNews(count: number): WireRequest[] {
    return Array.from({ length: count }, (_, at) => this.request('inbox', 'token', at, {}));
  }

  /** Posts that put equally many items into each agent's inbox, at least `count` in total. */
  newsForAll(count: number): WireRequest[] {
    const all = Math.ceil(count / this.agents.length) * this.agents.length;
    const first = this.next('news', all);
    return Array.from({ length: Math.ceil(all / MENTIONED) }, (_, post) => {
      const named = Array.from({ length: MENTIONED }, (_, at) => this.agentAt(post * MENTIONED + at).museId);
      return this.request('post', 'token', post, { text: `News ${first + post} for @${named.join(' @')}` });
    });
  }

  async readInboxes(): Promise<void> {
    for (let left = [...this.agents]; left.length > 0;) {
      const requests = left.map(agent => wire('POST', '/api/inbox', DURABLE, agent.sign('inbox', { limit: '50' })));
      const pages = await fetchAll<{ more: boolean }>(this.servicePort, requests);
      left = left.filter((_, at) => pages[at]!.more);
    }
  }

  whoamis(count: number, by: By): WireRequest[] {
    return Array.from({ length: count }, (_, at) => this.request('whoami', by, at, {}));
  }

  /** Requests whose fields follow from a number that is new to the server. */
  private each(
    server: Server,
    endpoint: string,
    count: number,
    by: By,
    fieldsOf: (number: number) => RequestFields,
    headers: object = DURABLE,
  ): WireRequest[] {
    const first = this.next(`${server} ${endpoint}`, count);
    return Array.from({ length: count }, (_, at) => this.request(endpoint, by, at, fieldsOf(first + at), headers));
  }

  private request(endpoint: string, by: By, caller: number, fields: RequestFields, headers: object = DURABLE) {
    if (by === 'token') return this.holders[caller % this.holders.length]!.request(endpoint, fields, headers);
    return wire('POST', `/api/${endpoint}`, headers, this.agentAt(caller).sign(endpoint, fields));
  }

  private agentAt(at: number): Signer {
    return this.agents[at % this.agents.length]!;
  }

  private next(name: string, count: number): number {
    const first = this.used.get(name) ?? 0;
    this.used.set(name, first + count);
    return first;
  }

  /** Unused pairs of agent and role on a server. */
  private pairs(name: string, count: number, agents: number): [agent: number, role: string][] {
    const first = this.next(name, count);
    if (first + count > agents * this.roles.length) throw new Error(`There are no more pairs for ${name}.`);
    return Array.from({ length: count }, (_, at) => {
      const pair = first + at;
      return [pair % agents, this.roles[Math.floor(pair / agents)]!];
    });
  }
}

async function feedItems(port: number): Promise<number[]> {
  const [feed] = await fetchAll<{ items: { id: number }[] }>(port, [wire('GET', FEED_PATH)]);
  return feed!.items.map(({ id }) => id);
}
