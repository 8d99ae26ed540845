import type { QueryBus } from '@nestjs/cqrs';
import { getById } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { getCacheExpiry } from '#libs/http/response-cache.js';
import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { executeQuery, isRawAnswer, type QueryAnswer } from '#libs/endpoints/query-handlers.js';
import type { AnyQuery, HttpExchange, RawAnswer } from '#libs/endpoints/query.js';
import { Crews } from '#libs/features/crews/views/crews.js';
import { filterOf } from '#libs/features/events-feed/event-filter.js';
import type { EventSource } from '#libs/features/events-feed/event-source.js';
import { events } from '#libs/features/events-feed/events.js';
import { Items } from '#libs/features/feed/views/items.js';
import { loadTrackRecords } from '#libs/features/finding/track-records.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { OpenEscrows } from '#libs/features/hires/views/open-escrows.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { type MuseDocument, Muses } from '#libs/features/identity/views/muses.js';
import { loadLinks } from '#libs/features/identity/views/linked-pairs.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { posterEndsUntil } from '#libs/features/hires/domain/escrow.js';
import type { HireDocument } from '#libs/features/hires/views/hires.js';
import type { Clock } from '#libs/kernel/clock.js';
import { loadHireDetails } from '#libs/features/records/hire-details.js';
import type { EscrowRails } from '#libs/payments/escrow-rails.js';
import type { StatusHistory } from '#libs/features/stats/status-history.js';
import type { PostTexts } from '#libs/channels/pages/elements/delivered.js';
import type { Actors, PageContent } from './page-content.js';

/** Fields of a read as text. Empty ones are not sent. */
type ReadFields<R extends AnyQuery> = {
  readonly [name in keyof (R extends { readonly asks?: infer F } ? NonNullable<F> : never)]?: string | undefined;
};

export type ReadAnswer<R extends AnyQuery> = Exclude<QueryAnswer<R>, RawAnswer>;

export interface EventFilters {
  readonly types?: string;
  readonly muse_id?: string;
  readonly stream?: string;
}

/** Names by slug; null once erased. */
export type NamesBySlug = ReadonlyMap<string, string | null>;

/** Disputes of an arbiter, oldest first. */
const ARBITRATIONS_MAX = 50;

/** Deliveries and rechecks of each hire; its record has all. */
const DETAILS_MAX = 20;

export interface ReaderSources {
  readonly queries: QueryBus;
  readonly models: ReadModels;
  readonly api: ApiDescription;
  readonly history: StatusHistory;
  readonly log: EventSource;
  readonly escrows: EscrowRails;
  readonly clock: Clock;
}

/** Reads of a page. They run the same checks as requests, and throw their refusals. */
export class PageReader {
  /** End of validity in unix ms; undefined if something other than documents was read. */
  validUntil: number | undefined = Infinity;
  /** Muses that the answers mention, and proof of work of those that the page lists. */
  readonly content = {
    muses: {},
    actors: {},
    trackRecords: {},
    unpayable: new Set<string>(),
  } satisfies Partial<PageContent>;
  /** Description of the API. */
  readonly api: ApiDescription;
  /** Samples of this process; reading them does not end the validity of a cached page. */
  readonly history: StatusHistory;
  readonly escrows: EscrowRails;
  private readonly http: HttpExchange;

  constructor(
    private readonly sources: ReaderSources,
    { request, reply }: HttpExchange,
  ) {
    this.api = sources.api;
    this.history = sources.history;
    this.escrows = sources.escrows;
    // Pages need JSON, whatever the reader's browser accepts.
    const headers = { value: { ...request.headers, accept: 'application/json' } };
    this.http = { request: Object.create(request, { headers }) as HttpExchange['request'], reply };
  }

  readonly ask = async <R extends AnyQuery>(read: R, sent?: ReadFields<R>): Promise<ReadAnswer<R>> => {
    const fields = Object.entries(sent ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1]));
    const answer = await executeQuery(this.sources.queries, read, Object.fromEntries(fields), this.http);
    if (isRawAnswer(answer)) throw new Error(`${read.name} does not answer documents.`);
    const until = getCacheExpiry(answer);
    this.validUntil =
      until === undefined || this.validUntil === undefined ? undefined : Math.min(until, this.validUntil);
    Object.assign(this.content.muses, (answer as { readonly muses?: object }).muses);
    return answer as ReadAnswer<R>;
  };

  /** For reads that answer text. */
  readonly text = async (read: AnyQuery): Promise<string> => {
    this.validUntil = undefined;
    const text = await executeQuery(this.sources.queries, read, {}, this.http);
    if (typeof text !== 'string') throw new Error(`${read.name} does not answer text.`);
    return text;
  };

  /** Events of the log up to a position, newest first. */
  readonly newestEvents = async (before: string | undefined, limit: number, { types, ...filters }: EventFilters) => {
    // Refuses a position that is not of this log.
    if (before !== undefined) await this.ask(events, { after: before, limit: '1' });
    this.validUntil = undefined;
    const filter = filterOf({ ...filters, ...(types !== undefined && { types: [types] }) });
    return this.sources.log.newestBefore(before, limit, filter);
  };

  /** Reads summaries, without those of unknown muses. */
  readonly people = async (ids: readonly string[]) => {
    const muses = await loadSummaries(this.sources.models, ids);
    Object.assign(this.content.muses, muses);
    return muses;
  };

  /** Reads the newer identities of linked muses, with their summaries. */
  readonly readActors = async (ids: readonly (string | null)[]): Promise<Actors> => {
    const links = await loadLinks(this.sources.models, ids);
    const actors: Actors = Object.fromEntries(links.map(({ earlier, later }) => [earlier, later]));
    await this.people(Object.values(actors));
    return Object.assign(this.content.actors, actors);
  };

  /** Finds the agents that have neither a verified wallet nor a payout address, nor a later identity with one. */
  readonly readUnpayable = async (ids: readonly string[]): Promise<void> => {
    const muses = this.sources.models.of(Muses);
    const agents = await getById(muses, ids);
    const later = await getById(
      muses,
      [...agents.values()].flatMap(({ linked_to }) => linked_to ?? []),
    );
    for (const [id, agent] of agents)
      if (!hasWallet(agent) && !hasWallet(later.get(agent.linked_to ?? ''))) this.content.unpayable.add(id);
  };

  readonly readTrackRecords = async (ids: readonly (string | null)[]): Promise<void> => {
    Object.assign(this.content.trackRecords, await loadTrackRecords(this.sources.models, distinct(ids)));
  };

  readonly crewNames = async (slugs: readonly (string | null)[]): Promise<NamesBySlug> =>
    new Map((await this.sources.models.of(Crews).getMany(distinct(slugs))).map(({ id, body }) => [id, body.name]));

  readonly roleTitles = async (slugs: readonly (string | null)[]): Promise<NamesBySlug> =>
    new Map((await this.sources.models.of(Roles).getMany(distinct(slugs))).map(({ id, body }) => [id, body.title]));

  /** Texts of posts; null once deleted or erased. */
  readonly postTexts = async (ids: readonly (number | null | undefined)[]): Promise<PostTexts> => {
    const items = await this.sources.models
      .of(Items)
      .getMany(distinct(ids.map(id => (id == null ? null : String(id)))));
    return new Map(items.map(({ body }) => [body.id, body.content?.text ?? null]));
  };

  /** Delivered hires whose dispute this agent has to decide. */
  readonly arbitrations = async (arbiter: string) => {
    const { models } = this.sources;
    const held = { index: 'byArbiter', equals: [arbiter], order: 'asc', limit: ARBITRATIONS_MAX } as const;
    const disputes = await models.of(OpenEscrows).find(held);
    const hires = await models.of(Hires).getMany(disputes.map(({ id }) => id));
    const titles = await this.roleTitles(hires.map(({ body }) => body.role));
    return hires.map(({ body: { hire, role, worker } }) => ({ hire, role, worker, title: titles.get(role) ?? null }));
  };

  /** Hires with their newest deliveries and rechecks. */
  readonly hireDetails = async (hires: readonly number[]) => {
    const details = await Promise.all(hires.map(hire => loadHireDetails(this.sources.models, hire, DETAILS_MAX)));
    const found = details.filter(each => each !== undefined);
    for (const { hire } of found) this.expireWithFirstHour(hire);
    return found;
  };

  /** In the first hour of an escrowed hire its poster has a form that does not work later. */
  private expireWithFirstHour({ escrow, created_at }: HireDocument): void {
    const until = posterEndsUntil(created_at);
    if (escrow?.status !== 'funded' || this.sources.clock.now() >= until || this.validUntil === undefined) return;
    this.validUntil = Math.min(this.validUntil, until);
  }
}

const hasWallet = (muse: MuseDocument | undefined) =>
  muse !== undefined && (muse.verification !== null || muse.has_payout_address);

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids.filter(id => id !== null))];
