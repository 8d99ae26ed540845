import type { QueryBus } from '@nestjs/cqrs';
import type { ReadModels } from '#libs/documents/read-models.js';
import { getCacheExpiry } from '#libs/http/response-cache.js';
import { NO_CACHE_HEADERS } from '#libs/http/response-headers.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Path } from '#libs/kernel/page-paths.js';
import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { executeQuery, isRawAnswer } from '#libs/endpoints/query-handlers.js';
import type { AnyQuery, HttpExchange } from '#libs/endpoints/query.js';
import { Crews } from '#libs/features/crews/views/crews.js';
import type { StatusHistory } from '#libs/features/stats/status-history.js';
import { filterOf } from '#libs/features/events-feed/event-filter.js';
import type { EventSource } from '#libs/features/events-feed/event-source.js';
import { events } from '#libs/features/events-feed/events.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { loadPosterStats } from '#libs/features/hires/views/poster-stats.js';
import { loadHireDetails } from '#libs/features/records/hire-details.js';
import { loadSummaries } from '#libs/features/profile/views/summaries.js';
import { loadTrackRecords } from '#libs/features/finding/track-records.js';
import type { Assets } from './assets.js';
import type { BrowserSettings } from './browser-settings.js';
import { renderDocument } from './document.js';
import { pageHeaders } from './headers.js';
import { type AnyPage, type EventFilters, type PageReader, PageMovedError } from './page.js';

export interface Shell {
  readonly assets: Assets;
  readonly baseUrl: string;
  readonly settings: BrowserSettings;
  readonly navigation: readonly AnyPage[];
}

/** Pages that depend only on the code, by address. One process renders each once. */
export class FixedPages extends Map<Path, string> {}

export interface PageSources {
  readonly shell: Shell;
  readonly queries: QueryBus;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly api: ApiDescription;
  readonly fixed: FixedPages;
  readonly history: StatusHistory;
  readonly log: EventSource;
}

/** Throws the refusals of the page's reads. */
export async function renderPage(page: AnyPage, sources: PageSources, http: HttpExchange): Promise<string> {
  const isFixed = page.isFixed && Object.keys(http.request.query as object).length === 0;
  if (!isFixed) return renderFresh(page, sources, http);
  const path = pathOf(page, http);
  const text = sources.fixed.get(path) ?? (await renderFresh(page, sources, http));
  sources.fixed.set(path, text);
  http.request.cacheableUntil = Infinity;
  void http.reply.headers(pageHeaders(page, sources.shell.settings));
  return text;
}

async function renderFresh(page: AnyPage, sources: PageSources, http: HttpExchange): Promise<string> {
  const { request, reply } = http;
  const { shell } = sources;
  const reader = new QueryPageReader(sources, http);
  try {
    const data = await page.load(addressValues(page, http), reader);
    const head = page.head(data, shell.baseUrl);
    request.cacheableUntil = reader.validUntil;
    void reply.headers(pageHeaders(page, shell.settings));
    if (head.status) void reply.status(head.status);
    return renderDocument({
      ...shell,
      head,
      path: pathOf(page, http),
      scripts: page.scripts,
      children: page.render(data),
    });
  } catch (error) {
    if (!(error instanceof PageMovedError)) throw error;
    void reply.status(302).headers({ location: error.path, ...NO_CACHE_HEADERS });
    return '';
  }
}

/** Deliveries and rechecks of each hire; its record has all. */
const DETAILS_MAX = 20;

class QueryPageReader implements PageReader {
  /** End of validity in unix ms; undefined if something other than documents was read. */
  validUntil: number | undefined = Infinity;

  readonly now: () => number;
  readonly api: ApiDescription;
  readonly history: StatusHistory;
  private readonly queries: QueryBus;
  private readonly models: ReadModels;
  private readonly http: HttpExchange;
  private readonly log: EventSource;

  constructor({ queries, models, clock, api, history, log }: PageSources, { request, reply }: HttpExchange) {
    this.now = () => clock.now();
    this.api = api;
    this.history = history;
    this.queries = queries;
    this.models = models;
    this.log = log;
    // Pages need JSON, whatever the reader's browser accepts.
    const headers = { value: { ...request.headers, accept: 'application/json' } };
    this.http = { request: Object.create(request, { headers }) as HttpExchange['request'], reply };
  }

  readonly ask = async (read: AnyQuery, sent: { readonly [name: string]: string | undefined } = {}) => {
    const fields = Object.entries(sent).filter((entry): entry is [string, string] => Boolean(entry[1]));
    const answer = await executeQuery(this.queries, read, Object.fromEntries(fields), this.http);
    if (isRawAnswer(answer)) throw new Error(`${read.name} does not answer documents.`);
    const until = getCacheExpiry(answer);
    this.validUntil =
      until === undefined || this.validUntil === undefined ? undefined : Math.min(until, this.validUntil);
    return answer as never;
  };

  readonly text = async (read: AnyQuery): Promise<string> => {
    this.validUntil = undefined;
    const text = await executeQuery(this.queries, read, {}, this.http);
    if (typeof text !== 'string') throw new Error(`${read.name} does not answer text.`);
    return text;
  };

  readonly newestEvents = async (before: string | undefined, limit: number, { types, ...filters }: EventFilters) => {
    // Refuses a position that is not of this log.
    if (before !== undefined) await this.ask(events, { after: before, limit: '1' });
    this.validUntil = undefined;
    const filter = filterOf({ ...filters, ...(types !== undefined && { types: [types] }) });
    return this.log.newestBefore(before, limit, filter);
  };

  readonly people = (ids: readonly string[]) => loadSummaries(this.models, ids);

  readonly trackRecords = (ids: readonly string[]) => loadTrackRecords(this.models, ids);

  readonly crewNames = async (slugs: readonly (string | null)[]) =>
    new Map((await this.models.of(Crews).getMany(distinct(slugs))).map(({ id, body }) => [id, body.name]));

  readonly roleTitles = async (slugs: readonly (string | null)[]) =>
    new Map((await this.models.of(Roles).getMany(distinct(slugs))).map(({ id, body }) => [id, body.title]));

  readonly hireDetails = async (hires: readonly number[]) => {
    const details = await Promise.all(hires.map(hire => loadHireDetails(this.models, hire, DETAILS_MAX)));
    return details.filter(each => each !== undefined);
  };

  readonly posterStats = (museId: string) => loadPosterStats(this.models, museId);
}

const distinct = (slugs: readonly (string | null)[]) => [...new Set(slugs.filter(slug => slug !== null))];

type Values = { readonly [name: string]: string };

/** Ignores a name that appears twice in the query string. */
function addressValues({ query }: AnyPage, { request }: HttpExchange): Values {
  const sent = request.query as { readonly [name: string]: unknown };
  const names = query.filter(name => typeof sent[name] === 'string' && sent[name] !== '');
  return { ...(request.params as Values), ...Object.fromEntries(names.map(name => [name, sent[name] as string])) };
}

/** Address of the page without its query string. */
function pathOf({ path }: AnyPage, { request }: HttpExchange): Path {
  const params = request.params as { readonly [name: string]: string };
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name]!)) as Path;
}
