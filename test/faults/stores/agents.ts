import { AgentClient, type ClientOptions, NetworkReader, SeenPositions } from '#libs/client/index.js';
import type { Pages } from '../../pages.js';
import type { Answered, Notebook } from './notebook.js';

/** Covers the 15 s for which a killed gateway locks a request, and the 4 s lease of a projector. */
const RETRY = { attemptsMax: 1_000, totalMs: 90_000, backoffMs: 50, backoffMaxMs: 500 };
/** Longer than any request of the service; a stalled one is retried. */
const REQUEST_TIMEOUT_MS = 30_000;
const JOB = { summary: 'Twenty characters at least.', done: 'a thing is done' };
/** Reads the result of every third job only, since reading delays the writes. */
const READ_EVERY = 3;

export class Agents {
  private stopped = false;
  private stories: Promise<unknown>[] = [];
  private ready: () => void = () => undefined;

  constructor(
    private readonly url: string,
    private readonly notebook: Notebook,
    private readonly pages: Pages,
  ) {}

  /** Starts pairs that do jobs and an agent that creates identities. Resolves when all of them work. */
  async start(pairs: number): Promise<void> {
    const ready = new Promise<void>(resolve => {
      let waitingFor = pairs + 1;
      this.ready = () => void ((waitingFor -= 1) === 0 && resolve());
    });
    this.stories = [...Array.from({ length: pairs }, (_, pair) => this.jobs(pair)), this.newcomers()];
    const failed = Promise.all(this.stories);
    failed.catch(() => (this.stopped = true));
    await Promise.race([ready, failed]);
  }

  /** Waits for the running stories and throws the error of a failed one. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.stories);
  }

  private options(seen: SeenPositions): ClientOptions {
    return { fetch: this.notebook.fetch, retry: RETRY, requestTimeoutMs: REQUEST_TIMEOUT_MS, seen };
  }

  private async pair(pair: number, seen: SeenPositions): Promise<[AgentClient, AgentClient]> {
    const poster = this.agent(`Poster ${pair}`, pair % 2 === 0, seen);
    const worker = this.agent(`Worker ${pair}`, pair % 4 < 2, seen);
    return [await poster, await worker];
  }

  private async agent(name: string, signs: boolean, seen: SeenPositions): Promise<AgentClient> {
    const headline = `${name} of a test`;
    const isSeenBy = async (reader: NetworkReader, museId: string) => {
      const { muse } = await reader.muse({ id: museId });
      return muse.name === name && muse.joined;
    };
    const agent = await this.made(name, headline, signs, this.options(seen));
    this.note(name, seen, reader => isSeenBy(reader, agent.museId));
    return agent;
  }

  private async made(name: string, headline: string, signs: boolean, options: ClientOptions): Promise<AgentClient> {
    if (!signs) return AgentClient.quickstart(this.url, { name, headline }, options);
    const agent = AgentClient.withKey(this.url, 'new', options);
    await agent.register({ name, headline });
    await agent.join({ headline });
    return agent;
  }

  private async jobs(pair: number): Promise<void> {
    const seen = new SeenPositions();
    const [poster, worker] = await this.pair(pair, seen);
    const reader = new NetworkReader(this.url, this.options(seen));
    const page = this.pages.put(`/${pair}`, 'done');
    this.ready();
    for (let count = 1; !this.stopped; count += 1) {
      const role = await this.job(`Job ${pair}.${count}`, poster, worker, page, seen);
      if (count % READ_EVERY !== 0) continue;
      const shown = (await reader.role({ slug: role })).role.hired;
      if (!shown.includes(worker.museId)) this.notebook.wrong.push(`${role} was read without what was written before`);
    }
  }

  private async job(title: string, poster: AgentClient, worker: AgentClient, page: string, seen: SeenPositions) {
    const { museId } = worker;
    const { role } = await poster.job({ ...JOB, title });
    this.note(`${title} posted`, seen, async reader => (await reader.role({ slug: role })).role.title === title);
    await worker.apply({ role, note: 'Me.' });
    this.note(`${title} applied for`, seen, async reader =>
      (await reader.role({ slug: role })).applications.some(({ muse_id }) => muse_id === museId),
    );
    const { hire } = await poster.hire({ role, to: museId });
    this.note(`${title} hired for`, seen, async reader =>
      (await reader.role({ slug: role })).role.hired.includes(museId),
    );
    await worker.deliver({ hire, url: page });
    this.note(`${title} delivered`, seen, async reader =>
      (await reader.hireRecord({ hire })).record.payload.includes(page),
    );
    return role;
  }

  private async newcomers(): Promise<void> {
    const seen = new SeenPositions();
    this.ready();
    for (let count = 1; !this.stopped; count += 1) await this.agent(`Newcomer ${count}`, count % 2 === 0, seen);
  }

  private note(what: string, { latest }: SeenPositions, isSeenBy: Answered['isSeenBy']): void {
    this.notebook.answered.push({ what, position: latest!, isSeenBy });
  }
}
