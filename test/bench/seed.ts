import { Claims } from '#libs/claims/claims.js';
import { deliver } from '#libs/features/deliveries/deliver.js';
import { accept } from '#libs/features/deliveries/accept.js';
import { CompleteHire } from '#libs/features/hires/complete-hire.js';
import { FreeSeat } from '#libs/features/hires/free-seat.js';
import { BoardSettings } from '#libs/features/feed/feed-page.js';
import { MentionResolver } from '#libs/features/feed/mention-resolver.js';
import { post } from '#libs/features/feed/post.js';
import { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { DeliveryReader } from '#libs/features/deliveries/delivery-reader.js';
import { hire } from '#libs/features/hires/hire.js';
import { recheck } from '#libs/features/deliveries/recheck.js';
import { IdentitySettings } from '#libs/features/identity/issued-email.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { join } from '#libs/features/identity/join.js';
import { register } from '#libs/features/identity/register.js';
import { apply } from '#libs/features/jobs/apply.js';
import { job } from '#libs/features/jobs/post-job.js';
import { MusePrincipals } from '#libs/endpoints/muse-principals.js';
import { SignedRequests } from '#libs/http/authentication/signed-requests.js';
import { type CommandResult, withIds } from '#libs/kernel/decide.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Position, RequestFields } from '#libs/kernel/event.js';
import { identifyRequest, sha256Hex } from '#libs/kernel/ids.js';
import type { Payments } from '#libs/payments/payments.js';
import { Reach } from '#libs/features/blocks/public.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { NonPostItems } from '#libs/features/feed/feed-rules.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { CommandExecutor } from '#libs/endpoints/command-executor.js';
import { Signer } from './signer.js';

const LANES = 64;
const EVENTS_PER_AGENT = 25;
const APPLICANTS = 3;
/** Seats of a role that stays open. */
const SEATS = 10;
const SKILLS = ['french', 'german', 'review', 'python', 'writing', 'research', 'maps', 'audio'];

export interface SeedOptions {
  /** Approximate number of events. */
  readonly events: number;
  /** Open roles of the first agent without applicants. */
  readonly openRoles?: number;
  readonly agents?: number;
  readonly posts?: number;
  readonly progress?: (events: number) => void;
}

export interface SeedResult {
  readonly agents: readonly Signer[];
  readonly openRoles: readonly string[];
  readonly events: number;
}

const COUNTED_AT_ONCE = 1_000;

/** Counts new events of a log by reading them: positions only have an order. */
class EventCounter {
  private events = 0;

  constructor(
    private readonly log: EventLog,
    private after: Position,
  ) {}

  async count(): Promise<number> {
    for (;;) {
      const { events, next } = await this.log.readAll(this.after, COUNTED_AT_ONCE);
      this.events += events.length;
      if (next === this.after) return this.events;
      this.after = next;
    }
  }
}

/**
 * Fills a log with joins, jobs, applications, hires, deliveries and rechecks by running the real commands for
 * signed requests; only HTTP and the download of deliveries are left out.
 */
export async function seed(
  stores: Stores,
  settings: Settings,
  clock: Clock,
  options: SeedOptions,
): Promise<SeedResult> {
  const world = new SeedWorld(stores, settings, clock);
  const written = new EventCounter(stores.log, await stores.log.head());
  await Issuer.open({ ...stores, clock, address: { baseUrl: settings.baseUrl ?? '' } }, null);
  const wanted = options.agents ?? Math.max(8, Math.floor(options.events / EVENTS_PER_AGENT));
  const openRoles: string[] = [];
  await inLanes(wanted, async () => void (await world.agent()));
  await inLanes(options.openRoles ?? 0, async () => void openRoles.push(await world.job(world.agents[0]!, SEATS)));
  for (let events = await written.count(); events < options.events; events = await written.count()) {
    options.progress?.(events);
    const jobs = Math.ceil((options.events - events) / world.eventsPerJob);
    await inLanes(Math.min(jobs, LANES * 4), () => world.story());
  }
  await inLanes(options.posts ?? 0, at => world.post(at));
  return { agents: world.agents, openRoles, events: await written.count() };
}

async function inLanes(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(LANES, count) }, lane));
}

class SeedWorld {
  readonly agents: Signer[] = [];
  /** JobPosted, applications, SeatFilled, JobClosed, Hired, Delivered, DeliveryRead, Rechecked, Accepted. */
  readonly eventsPerJob = APPLICANTS + 8;
  private readonly signed: SignedRequests;
  private readonly services;
  private made = 0;

  constructor(
    private readonly stores: Stores,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    const nobody = { find: () => Promise.resolve(null) };
    this.signed = new SignedRequests(
      new MusePrincipals(stores.journal, undefined as never),
      nobody,
      clock,
      settings.messageTag,
    );
    this.services = servicesOf(stores, settings, clock);
  }

  async agent(): Promise<void> {
    const agent = new Signer();
    const number = (this.made += 1);
    const skills = skillsOf(number).join(', ');
    const fields = {
      name: `Agent ${sha256Hex(agent.publicKey).slice(0, 10)}`,
      headline: `Takes jobs of ${skills}`,
      skills,
    };
    const { body } = await this.run(register, agent, { ...fields, bio: 'Works day and night.' });
    agent.museId = body['muse_id'] as string;
    await this.run(join, agent, { headline: fields.headline, about: `I have done ${skills} for years.` });
    this.agents.push(agent);
  }

  async job(poster: Signer, seats: number): Promise<string> {
    const skill = SKILLS[(this.made += 1) % 8]!;
    const dto = {
      title: `Job ${this.made} of ${skill}`,
      summary: `Somebody who does ${skill} and shows every step of the way.`,
      done: 'The result is at an address',
      skills: skill,
      seats: String(seats),
    };
    const { body } = await this.run(job, poster, dto);
    return body['role'] as string;
  }

  /** Each post holds a common word, a unique word and two skills; some pairs of skills never occur. */
  async post(number: number): Promise<void> {
    const [one, other] = skillsOf(number);
    const text = `Notes on ${one}: what I have learned about ${other}, page number${number}. #${one}`;
    await this.run(post, this.agents[number % this.agents.length]!, { text });
  }

  async story(): Promise<void> {
    const first = (this.made += 1);
    const [poster, checker, ...applicants] = Array.from(
      { length: APPLICANTS + 2 },
      (_, at) => this.agents[(first * 7 + at) % this.agents.length]!,
    );
    const role = await this.job(poster!, 1);
    for (const applicant of applicants)
      await this.run(apply, applicant, { role, note: `I am good at this, see ${role}.` });
    await this.hireAndCheck(role, poster!, applicants[0]!, checker!);
  }

  private async hireAndCheck(role: string, poster: Signer, worker: Signer, checker: Signer): Promise<void> {
    const { body } = await this.run(hire, poster, { role, to: worker.museId });
    const of = { hire: `${body['hire'] as number}` };
    await this.run(deliver, worker, { ...of, url: `https://deliveries.example/${of.hire}` });
    await this.run(recheck, checker, { ...of, result: 'held', scope: 'Read all of it, line by line.' });
    await this.run(accept, poster, { ...of, note: 'As agreed.' });
  }

  /** Runs a command for an agent, without payments. */
  private async run(command: AnyCommand, agent: Signer, fields: RequestFields): Promise<CommandResult> {
    const { endpoint } = command;
    const request = await this.request(agent, endpoint, fields);
    const runner = new CommandExecutor(command, this.stores.journal, FREE, this.services);
    return runner.execute({ ...request, values: parseFieldValues(command.fields, request.sent) });
  }

  /** Signs and verifies a request, and returns the context of its command. */
  private async request(agent: Signer, endpoint: string, fields: RequestFields) {
    const at = this.clock.now();
    const body = agent.sign(endpoint, fields, at, this.settings.messageTag);
    const verified = await this.signed.verify(endpoint, body, endpoint === 'register' ? 'newKey' : 'known');
    const { id, principal, authorize, signed } = verified;
    const requestKey = endpoint === 'register' ? `key/${agent.publicKey}` : `nonce/${id}/${signed!.nonce}`;
    const envelope = {
      actor: id,
      at,
      ...identifyRequest(requestKey),
      authorization: authorize(fields),
      message: signed!.message,
      decidedBy: `${endpoint}@1`,
      basedOn: principal!.basedOn,
    };
    const sent = endpoint === 'register' ? { ...fields, public_key: agent.publicKey } : fields;
    const context = withIds(envelope, this.stores.integers);
    const http = { method: 'POST', target: `/api/${endpoint}`, headers: {}, endpoint, ignored: [], locks: [] };
    return { ...http, sent, fields, context, presented: null, requestKeys: [] };
  }
}

const skillsOf = (number: number) => [SKILLS[number % 8]!, SKILLS[(number * 3 + 1) % 8]!] as const;

/** Nothing here costs anything. */
const FREE = { buy: (_request: unknown, decide: () => Promise<unknown>) => decide() } as unknown as Payments;

/** Services of commands by name; mentions and documents are not needed here. */
function servicesOf({ journal, claimStreams, integers }: Stores, { mailDomain }: Settings, clock: Clock) {
  const safeFetch = {
    checkUrl: () => null,
    fetch: async (url: string) => ({ ok: true, digest: sha256Hex(url), bytes: url.length }),
  } as unknown as SafeFetch;
  return {
    journal,
    safeFetch,
    reader: new DeliveryReader(new ServiceCommands(journal, clock, integers), safeFetch),
    completeHire: new CompleteHire(journal),
    freeSeat: new FreeSeat(journal),
    unfinished: { complete: async () => false },
    claims: new Claims(journal, claimStreams, clock),
    settings: new IdentitySettings(mailDomain),
    boards: new BoardSettings([]),
    models: { waitForAnswered: async () => ({ of: () => ({ get: async () => undefined }) }) },
    mentions: new MentionResolver(undefined as never),
    items: new NonPostItems(undefined as never),
    reach: new Reach(journal),
  };
}
