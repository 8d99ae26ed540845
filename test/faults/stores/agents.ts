import { AgentClient, type ClientOptions, NetworkReader, SeenPositions } from '#libs/client/index.js';
import type { Pages } from '../../pages.js';
import type { Answered, Notebook } from './notebook.js';

/** A killed gateway's request is believed to run for 15 s, and a projector's lease is 7 s long. */
const RETRY = { attemptsMax: 1_000, totalMs: 90_000, backoffMs: 50, backoffMaxMs: 500 };
/** No request of the service takes as long; a stalled one is asked again. */
const REQUEST_TIMEOUT_MS = 30_000;
const JOB = { summary: 'Twenty characters at least.', done: 'a thing is done' };
/** How often a story's end is read back while everything breaks: whoever waits for that writes nothing. */
const READ_EVERY = 3;

/** Those who write until they are told to stop, each answered write into the notebook. */
export class Agents {
  private stopped = false;
  private stories: Promise<unknown>[] = [];
  private ready: () => void = () => undefined;

  constructor(
    private readonly url: string,
    private readonly notebook: Notebook,
    private readonly pages: Pages,
  ) {}

  /** So many pairs who do jobs, and one who makes identities; answers when all of them are at it. */
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

  /** Ends when every story under way has. Throws what ended one before. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.stories);
  }

  /** Options for clients that are to see each other's writes. */
  private options(seen: SeenPositions): ClientOptions {
    return { fetch: this.notebook.fetch, retry: RETRY, requestTimeoutMs: REQUEST_TIMEOUT_MS, seen };
  }

  /** Poster and worker: signed and by token in every combination. */
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

  /** Whole jobs, one after the other. */
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

  /** Identities, one after the other: what a new one is called and may do is no repetition of anything. */
  private async newcomers(): Promise<void> {
    const seen = new SeenPositions();
    this.ready();
    for (let count = 1; !this.stopped; count += 1) await this.agent(`Newcomer ${count}`, count % 2 === 0, seen);
  }

  private note(what: string, { latest }: SeenPositions, isSeenBy: Answered['isSeenBy']): void {
    this.notebook.answered.push({ what, position: latest!, isSeenBy });
  }
}
