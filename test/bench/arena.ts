import { systemClock } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { openStores } from '#libs/setup/stores.js';
import { type Child, serve } from './child.js';
import { type Folder, settingsOf } from './folder.js';
import { ask, burst, type Outcome, type Wire, wire } from './load.js';
import { seed } from './seed.js';
import type { Signer } from './signer.js';

const AGENTS = 140;
const TOKENS = 60;
const OPEN_ROLES = 160;
const FEED_PATH = '/api/feed?limit=20';
export const IN_FLIGHT = 64;
/** Answered as soon as it is durable, as the bare server answers: who sends it keeps positions itself. */
const DURABLE = { 'min-position': '0' };

export type Server = 'service' | 'bare' | 'models';

/** The service and the two bare servers on the same log, and requests for all of them. */
export class Arena {
  private readonly used = new Map<string, number>();

  private constructor(
    private readonly servers: { readonly [K in Server]: Child },
    private readonly agents: readonly Signer[],
    private readonly roles: readonly string[],
    private readonly tokens: readonly string[],
    /** Of the muses' profiles. */
    readonly profilePaths: readonly string[],
    readonly etags: readonly string[],
  ) {}

  /** Servers on a log of about that many events. */
  static async open(folder: Folder, name: string, events: number, progress?: (events: number) => void): Promise<Arena> {
    const dataDir = folder.of(name);
    const settings = settingsOf(dataDir);
    const stores = await openStores(settings);
    const options = {
      events,
      agents: Math.max(AGENTS, events / 50),
      openRoles: OPEN_ROLES,
      ...(progress && { progress }),
    };
    const { agents, openRoles } = await seed(stores, settings, systemClock, options);
    await stores.close();
    const service = await serve('service.server.js', dataDir);
    const tokens = await quickstarts(service.port);
    await caughtUp(service.port);
    const log = `${dataDir}/events.db`;
    const bare = await serve('bare.server.js', folder.of(`${name}-bare`), log);
    const models = await serve('bare.server.js', folder.of(`${name}-models`), log, 'models');
    const callers = agents.slice(1, AGENTS);
    const paths = callers.map(({ museId }) => `/api/muse/${museId}`);
    const documents = await answersOf(service.port, paths);
    for (const { port } of [bare, models]) await ask(port, [wire('POST', '/documents', {}, documents)]);
    const etags = await etagsOf(service.port, paths);
    return new Arena({ service, bare, models }, callers, openRoles, tokens, paths, etags);
  }

  port(server: Server): number {
    return this.servers[server].port;
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
    return this.pairs(`${server} bearer`, count, this.tokens.length).map(([holder, role]) => {
      const fields = { role, note: `I would like to take this on and can begin at once: ${role}.` };
      return wire('POST', '/api/apply', { ...DURABLE, authorization: `Bearer ${this.tokens[holder]}` }, fields);
    });
  }

  whoamis(count: number): Wire[] {
    return Array.from({ length: count }, (_, at) =>
      wire('POST', '/api/whoami', {}, this.agents[at % this.agents.length]!.sign('whoami', {})),
    );
  }

  profiles(count: number): Wire[] {
    return Array.from({ length: count }, (_, at) => wire('GET', this.profilePaths[at % this.profilePaths.length]!));
  }

  knownProfiles(server: Server, count: number): Wire[] {
    return Array.from({ length: count }, (_, at) => {
      const path = this.profilePaths[at % this.profilePaths.length]!;
      const etag = server === 'service' ? this.etags[at % this.etags.length]! : `"${path.split('/').at(-1)}"`;
      return wire('GET', path, { 'if-none-match': etag });
    });
  }

  feeds(count: number): Wire[] {
    return Array.from({ length: count }, () => wire('GET', FEED_PATH));
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.servers).map(server => server.stop()));
  }

  /** Agents and roles that have not met at a server. */
  private pairs(name: string, count: number, agents: number): [agent: number, role: string][] {
    const first = this.used.get(name) ?? 0;
    this.used.set(name, first + count);
    if (first + count > agents * this.roles.length) throw new Error(`There are no more pairs for ${name}.`);
    return Array.from({ length: count }, (_, at) => {
      const pair = first + at;
      return [pair % agents, this.roles[Math.floor(pair / agents)]!];
    });
  }
}

async function quickstarts(port: number): Promise<string[]> {
  const requests = Array.from({ length: TOKENS }, (_, at) =>
    wire('POST', '/api/quickstart', {}, { headline: `Holder ${at} of a token`, kind: 'tester' }),
  );
  const answers = await ask<{ token: string }>(port, requests);
  return answers.map(({ token }) => token);
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

async function etagsOf(port: number, paths: readonly string[]): Promise<string[]> {
  const answers = paths.map(path => fetch(`http://127.0.0.1:${port}${path}`));
  return (await Promise.all(answers)).map(({ headers }) => headers.get('etag')!);
}
