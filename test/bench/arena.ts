import { systemClock } from '#libs/kernel/clock.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { openStores } from '#libs/setup/stores.js';
import { REACTIONS } from '#libs/streams/reaction.js';
import { type Child, serve, serveService } from './child.js';
import { type Folder, settingsOf } from './folder.js';
import { ask, burst, type Outcome, type Wire, wire } from './load.js';
import { seed, type SeedOptions } from './seed.js';
import type { Signer } from './signer.js';

const AGENTS = 140;
const TOKENS = 60;
/** Holders of tokens besides, who write to each other. */
const ACQUAINTED = 2;
const OPEN_ROLES = 160;
const FEED_PATH = '/api/feed?limit=20';
const ROLES_PATH = '/api/roles?limit=20';
/** A name that no route knows: its answer is worked out each time. */
export const ANEW = 'anew=1';
/** How many a post of news mentions. */
const MENTIONED = 10;
export const IN_FLIGHT = 64;
/** Answered as soon as it is durable, as the bare server answers: who sends it keeps positions itself. */
const DURABLE = { 'min-position': '0' };

/** `bare` and `models` count and seal as the service does, `least` and `leastModels` do not. */
export type Server = 'service' | 'bare' | 'models' | 'least' | 'leastModels';

/** Somebody who holds a token. */
export class Holder {
  constructor(
    readonly museId: string,
    private readonly token: string,
  ) {}

  asks(endpoint: string, fields: object): Wire {
    return wire('POST', `/api/${endpoint}`, { ...DURABLE, authorization: `Bearer ${this.token}` }, fields);
  }
}

/** The service and the two bare servers on the same log, and requests for all of them. */
export class Arena {
  private readonly used = new Map<string, number>();
  /** Of the feed, as it was when they were first needed. */
  private items: readonly number[] | undefined;

  private constructor(
    private readonly servers: { readonly [K in Server]: Child },
    private readonly agents: readonly Signer[],
    private readonly roles: readonly string[],
    private readonly holders: readonly Holder[],
    /** Of the muses' profiles. */
    readonly profilePaths: readonly string[],
    readonly etags: readonly string[],
  ) {}

  /** Servers on a log of about that many events. */
  static open(folder: Folder, name: string, events: number, progress?: (events: number) => void): Promise<Arena> {
    const agents = Math.max(AGENTS, events / 50);
    return Arena.on(folder, name, { events, agents, openRoles: OPEN_ROLES, ...(progress && { progress }) });
  }

  /** Servers on a log of at least as many agents as are needed to call them. */
  static async on(folder: Folder, name: string, options: SeedOptions): Promise<Arena> {
    const dataDir = folder.of(name);
    const settings = settingsOf(dataDir);
    const stores = await openStores(settings);
    const { agents, openRoles } = await seed(stores, settings, systemClock, options);
    await stores.close();
    const service = await serveService(dataDir);
    const holders = await quickstarts(service.port);
    await caughtUp(service.port);
    const log = `${dataDir}/events.db`;
    const bareServer = (own: string, ...options: string[]) =>
      serve('bare.server.js', folder.of(`${name}-${own}`), log, ...options);
    const bare = await bareServer('bare', 'sealed');
    const models = await bareServer('models', 'sealed', 'models');
    const least = await bareServer('least');
    const leastModels = await bareServer('least-models', 'models');
    const callers = agents.slice(1, AGENTS);
    const paths = callers.map(({ museId }) => `/api/muse/${museId}`);
    const documents = await answersOf(service.port, paths);
    for (const { port } of [bare, models, least, leastModels])
      await ask(port, [wire('POST', '/documents', {}, documents)]);
    const etags = await etagsOf(service.port, paths);
    return new Arena({ service, bare, models, least, leastModels }, callers, openRoles, holders, paths, etags);
  }

  port(server: Server): number {
    return this.servers[server].port;
  }

  rssMiB(server: Server): Promise<number> {
    return this.servers[server].rssMiB();
  }

  burst(server: Server, requests: readonly Wire[], inFlight = IN_FLIGHT, status = 200): Promise<Outcome> {
    return burst(this.port(server), requests, inFlight, status);
  }

  /** Signed applications, each of another agent for another role. */
  signedWrites(server: Server, count: number): Wire[] {
    return this.pairs(`${server} signed`, count, this.agents.length).map(([agent, role]) => {
      const fields = { role, note: `I would like to take this on and can begin at once: ${role}.` };
      return wire('POST', '/api/apply', DURABLE, this.agents[agent]!.sign('apply', fields));
    });
  }

  bearerWrites(server: Server, count: number): Wire[] {
    return this.pairs(`${server} bearer`, count, TOKENS).map(([holder, role]) => {
      const fields = { role, note: `I would like to take this on and can begin at once: ${role}.` };
      return this.byToken('apply', holder, fields);
    });
  }

  /** Posts by signature or by token, each of another text. */
  posts(server: Server, count: number, by: 'signature' | 'token'): Wire[] {
    const first = this.next(`${server} posts`, count);
    return Array.from({ length: count }, (_, at) => {
      const fields = {
        text: `What I have learned today, ${first + at}: a page of a manual is best read aloud, twice.`,
      };
      return by === 'token' ? this.byToken('post', at, fields) : this.bySignature('post', at, fields);
    });
  }

  /** Free jobs by signature or by token; `isShown`: answered once the documents contain them. */
  jobs(server: Server, count: number, by: 'signature' | 'token', isShown = false): Wire[] {
    const first = this.next(`${server} jobs`, count);
    return Array.from({ length: count }, (_, at) => {
      const title = `Translate page ${first + at}`;
      const fields = { title, summary: 'One page, English to French.', done: 'A page at an address', skills: 'french' };
      return by === 'token'
        ? this.byToken('job', at, fields)
        : this.bySignature('job', at, fields, isShown ? {} : DURABLE);
    });
  }

  /** Headlines by signature or by token, each another one. */
  profileUpdates(server: Server, count: number, by: 'signature' | 'token'): Wire[] {
    const first = this.next(`${server} updates`, count);
    return Array.from({ length: count }, (_, at) => {
      const fields = { headline: `Reads manuals aloud, ${first + at} by now` };
      return by === 'token' ? this.byToken('profile', at, fields) : this.bySignature('profile', at, fields);
    });
  }

  /** Signed reactions of all agents to items of the feed, each another one than the agent's last. */
  async reactions(server: Server, count: number): Promise<Wire[]> {
    this.items ??= await feedItems(this.port('service'));
    const { items } = this;
    const first = this.next(`${server} reactions`, count);
    return Array.from({ length: count }, (_, at) => {
      const round = Math.floor((first + at) / this.agents.length);
      const type = REACTIONS[Math.floor(round / items.length) % REACTIONS.length]!;
      return this.bySignature('react', first + at, { post_id: String(items[round % items.length]!), type });
    });
  }

  /** Each page holds one item and marks it, as long as there is news. */
  inboxesWithNews(count: number): Wire[] {
    return Array.from({ length: count }, (_, at) => this.bySignature('inbox', at, { limit: '1' }));
  }

  /** Of holders of tokens, to whom nothing has happened. */
  inboxesWithoutNews(count: number): Wire[] {
    return Array.from({ length: count }, (_, at) => this.byToken('inbox', at, {}));
  }

  /** Puts so many items into the inboxes of the service's agents, the same number into each, which hold nothing else. */
  async news(count: number): Promise<void> {
    if (!this.used.has('news')) await this.readInboxes();
    const all = Math.ceil(count / this.agents.length) * this.agents.length;
    const first = this.next('news', all);
    const posts = Array.from({ length: Math.ceil(all / MENTIONED) }, (_, post) => {
      const named = Array.from({ length: MENTIONED }, (_, at) => this.agentAt(post * MENTIONED + at).museId);
      return this.byToken('post', post, { text: `News ${first + post} for @${named.join(' @')}` });
    });
    await ask(this.port('service'), posts);
    await caughtUp(this.port('service'));
  }

  /** Every agent reads what has happened to it so far: on a longer log that is more. */
  private async readInboxes(): Promise<void> {
    for (let left = [...this.agents]; left.length > 0;) {
      const requests = left.map(agent => wire('POST', '/api/inbox', DURABLE, agent.sign('inbox', { limit: '50' })));
      const pages = await ask<{ more: boolean }>(this.port('service'), requests);
      left = left.filter((_, at) => pages[at]!.more);
    }
  }

  whoamis(count: number, by: 'signature' | 'token'): Wire[] {
    return Array.from({ length: count }, (_, at) =>
      by === 'token' ? this.byToken('whoami', at, {}) : this.bySignature('whoami', at, {}),
    );
  }

  profiles(count: number, query = ''): Wire[] {
    return Array.from({ length: count }, (_, at) =>
      wire('GET', this.profilePaths[at % this.profilePaths.length]! + query),
    );
  }

  /** The same as pages for people. */
  profilePages(count: number, query = ''): Wire[] {
    return Array.from({ length: count }, (_, at) =>
      wire('GET', this.profilePaths[at % this.profilePaths.length]!.replace('/api/muse', '/people') + query),
    );
  }

  firstPages(count: number): Wire[] {
    return Array.from({ length: count }, () => wire('GET', '/', { accept: 'text/html' }));
  }

  feedPages(count: number): Wire[] {
    return this.feeds(count, '/feed');
  }

  knownProfiles(server: Server, count: number): Wire[] {
    return Array.from({ length: count }, (_, at) => {
      const path = this.profilePaths[at % this.profilePaths.length]!;
      const etag = server === 'service' ? this.etags[at % this.etags.length]! : `"${path.split('/').at(-1)}"`;
      return wire('GET', path, { 'if-none-match': etag });
    });
  }

  feeds(count: number, path = FEED_PATH): Wire[] {
    return Array.from({ length: count }, () => wire('GET', path));
  }

  roleLists(count: number, headers: object = {}): Wire[] {
    return Array.from({ length: count }, () => wire('GET', ROLES_PATH, headers));
  }

  /** Of who has read them before. */
  async knownRoleLists(count: number): Promise<Wire[]> {
    const [etag] = await etagsOf(this.port('service'), [ROLES_PATH]);
    return this.roleLists(count, { 'if-none-match': etag });
  }

  /** Feeds that no cache answers. */
  feedsAnew(count: number): Wire[] {
    return this.feeds(count, `${FEED_PATH}&${ANEW}`);
  }

  /** Two who are connected, and have read of it. */
  async acquainted(): Promise<readonly [Holder, Holder]> {
    const [one, other] = this.holders.slice(TOKENS) as [Holder, Holder];
    const port = this.port('service');
    await ask(port, [one.asks('connect', { to: other.museId })]);
    await ask(port, [other.asks('connect', { to: one.museId })]);
    await caughtUp(port);
    await ask(port, [other.asks('inbox', {})]);
    return [one, other];
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.servers).map(server => server.stop()));
  }

  private byToken(endpoint: string, holder: number, fields: object): Wire {
    return this.holders[holder % TOKENS]!.asks(endpoint, fields);
  }

  private bySignature(endpoint: string, agent: number, fields: RequestFields, headers: object = DURABLE): Wire {
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

  /** Agents and roles that have not met at a server. */
  private pairs(name: string, count: number, agents: number): [agent: number, role: string][] {
    const first = this.next(name, count);
    if (first + count > agents * this.roles.length) throw new Error(`There are no more pairs for ${name}.`);
    return Array.from({ length: count }, (_, at) => {
      const pair = first + at;
      return [pair % agents, this.roles[Math.floor(pair / agents)]!];
    });
  }
}

async function quickstarts(port: number): Promise<Holder[]> {
  const requests = Array.from({ length: TOKENS + ACQUAINTED }, (_, at) =>
    wire('POST', '/api/quickstart', {}, { headline: `Holder ${at} of a token`, kind: 'tester' }),
  );
  const answers = await ask<{ muse_id: string; token: string }>(port, requests);
  return answers.map(({ muse_id, token }) => new Holder(muse_id, token));
}

/** Waits until the read models contain the log. */
export async function caughtUp(port: number): Promise<void> {
  const healthy = async () => {
    const [health] = await ask<{ projections: { lag: number }[] }>(port, [wire('GET', '/api/health')]);
    return health!.projections.every(({ lag }) => lag === 0);
  };
  while (!(await healthy())) await new Promise(resolve => setTimeout(resolve, 100));
}

/** The service's own answers, as what a bare server has stored. */
async function answersOf(port: number, paths: readonly string[]) {
  const profiles = await ask<JsonObject>(
    port,
    paths.map(path => wire('GET', path)),
  );
  const [feed] = await ask<JsonObject & { items: JsonObject[] }>(port, [wire('GET', FEED_PATH)]);
  const { ok: _ok, items, ...rest } = feed!;
  return {
    texts: profiles.map((profile, at) => [paths[at]!.split('/').at(-1), JSON.stringify(profile)]),
    feed: items.map(item => JSON.stringify(item)),
    tail: JSON.stringify(rest).slice(1, -1),
  };
}

async function feedItems(port: number): Promise<number[]> {
  const [feed] = await ask<{ items: { id: number }[] }>(port, [wire('GET', FEED_PATH)]);
  return feed!.items.map(({ id }) => id);
}

async function etagsOf(port: number, paths: readonly string[]): Promise<string[]> {
  const answers = paths.map(path => fetch(`http://127.0.0.1:${port}${path}`));
  return (await Promise.all(answers)).map(({ headers }) => headers.get('etag')!);
}
