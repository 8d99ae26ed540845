import type { RequestFields } from '#libs/kernel/event.js';
import { REACTIONS } from '#libs/features/feed/domain/reaction.js';
import type { Server } from './arena.js';
import { DURABLE, type TokenHolder } from './token-holder.js';
import { fetchAll, type WireRequest, wire } from './load.js';
import { FEED_PATH } from './requests.reads.js';
import type { Signer } from './signer.js';

const MENTIONED = 10;

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

  signedWrites(server: Server, count: number): WireRequest[] {
    return this.pairs(`${server} signed`, count, this.agents.length).map(([agent, role]) => {
      const fields = { role, note: `I would like to take this on and can begin at once: ${role}.` };
      return wire('POST', '/api/apply', DURABLE, this.agents[agent]!.sign('apply', fields));
    });
  }

  bearerWrites(server: Server, count: number): WireRequest[] {
    return this.pairs(`${server} bearer`, count, this.holders.length).map(([holder, role]) => {
      const fields = { role, note: `I would like to take this on and can begin at once: ${role}.` };
      return this.byToken('apply', holder, fields);
    });
  }

  posts(server: Server, count: number, by: 'signature' | 'token'): WireRequest[] {
    const first = this.next(`${server} posts`, count);
    return Array.from({ length: count }, (_, at) => {
      const fields = {
        text: `What I have learned today, ${first + at}: a page of a manual is best read aloud, twice.`,
      };
      return by === 'token' ? this.byToken('post', at, fields) : this.bySignature('post', at, fields);
    });
  }

  /** Free jobs of callers that keep positions, or of plain ones. */
  jobs(server: Server, count: number, by: 'signature' | 'token', isPlain = false): WireRequest[] {
    const headers = isPlain ? {} : DURABLE;
    const first = this.next(`${server} jobs`, count);
    return Array.from({ length: count }, (_, at) => {
      const title = `Translate page ${first + at}`;
      const fields = { title, summary: 'One page, English to French.', done: 'A page at an address', skills: 'french' };
      return by === 'token' ? this.byToken('job', at, fields, headers) : this.bySignature('job', at, fields, headers);
    });
  }

  profileUpdates(server: Server, count: number, by: 'signature' | 'token'): WireRequest[] {
    const first = this.next(`${server} updates`, count);
    return Array.from({ length: count }, (_, at) => {
      const fields = { headline: `Reads manuals aloud, ${first + at} by now` };
      return by === 'token' ? this.byToken('profile', at, fields) : this.bySignature('profile', at, fields);
    });
  }

  /** Signed reactions of all agents, each different from the agent's last reaction. */
  async reactions(server: Server, count: number): Promise<WireRequest[]> {
    this.items ??= await feedItems(this.servicePort);
    const { items } = this;
    const first = this.next(`${server} reactions`, count);
    return Array.from({ length: count }, (_, at) => {
      const round = Math.floor((first + at) / this.agents.length);
      const type = REACTIONS[Math.floor(round / items.length) % REACTIONS.length]!;
      return this.bySignature('react', first + at, { post_id: String(items[round % items.length]!), type });
    });
  }

  inboxesWithNews(count: number): WireRequest[] {
    return Array.from({ length: count }, (_, at) => this.bySignature('inbox', at, { limit: '1' }));
  }

  inboxesWithoutNews(count: number): WireRequest[] {
    return Array.from({ length: count }, (_, at) => this.byToken('inbox', at, {}));
  }

  /** Posts that put equally many items into each agent's inbox, at least `count` in total. */
  newsForAll(count: number): WireRequest[] {
    const all = Math.ceil(count / this.agents.length) * this.agents.length;
    const first = this.next('news', all);
    return Array.from({ length: Math.ceil(all / MENTIONED) }, (_, post) => {
      const named = Array.from({ length: MENTIONED }, (_, at) => this.agentAt(post * MENTIONED + at).museId);
      return this.byToken('post', post, { text: `News ${first + post} for @${named.join(' @')}` });
    });
  }

  async readInboxes(): Promise<void> {
    for (let left = [...this.agents]; left.length > 0;) {
      const requests = left.map(agent => wire('POST', '/api/inbox', DURABLE, agent.sign('inbox', { limit: '50' })));
      const pages = await fetchAll<{ more: boolean }>(this.servicePort, requests);
      left = left.filter((_, at) => pages[at]!.more);
    }
  }

  whoamis(count: number, by: 'signature' | 'token'): WireRequest[] {
    return Array.from({ length: count }, (_, at) =>
      by === 'token' ? this.byToken('whoami', at, {}) : this.bySignature('whoami', at, {}),
    );
  }

  private byToken(endpoint: string, holder: number, fields: object, headers: object = DURABLE): WireRequest {
    return this.holders[holder % this.holders.length]!.request(endpoint, fields, headers);
  }

  private bySignature(endpoint: string, agent: number, fields: RequestFields, headers: object = DURABLE): WireRequest {
    return wire('POST', `/api/${endpoint}`, headers, this.agentAt(agent).sign(endpoint, fields));
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
