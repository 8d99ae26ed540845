import { NO_CACHE_HEADERS } from '#libs/http/response-headers.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Path } from '#libs/kernel/page-paths.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import { renderDocument, type Shell } from './layout.js';
import { type AnyPage, PageMovedError, traitsOf } from './page.js';
import { PageContentContext } from './page-content.js';
import { pageHeaders } from './page-headers.js';
import { PageReader, type ReaderSources } from './page-reader.js';

/** Pages that depend only on the code, by address. One process renders each once. */
export class FixedPages extends Map<Path, string> {}

interface PageSources extends ReaderSources {
  readonly shell: Shell;
  readonly clock: Clock;
  readonly fixed: FixedPages;
}

/** Throws the refusals of the page's reads. */
export async function renderPage(page: AnyPage, sources: PageSources, http: HttpExchange): Promise<string> {
  const isFixed = page.isFixed && Object.keys(http.request.query as object).length === 0;
  if (!isFixed) return renderFresh(page, sources, http);
  const path = pathOf(page, http);
  const text = sources.fixed.get(path) ?? (await renderFresh(page, sources, http));
  sources.fixed.set(path, text);
  http.request.cacheableUntil = Infinity;
  void http.reply.headers(pageHeaders(traitsOf(page), sources.shell.settings));
  return text;
}

async function renderFresh(page: AnyPage, sources: PageSources, http: HttpExchange): Promise<string> {
  const { request, reply } = http;
  const { shell, api, clock } = sources;
  const reader = new PageReader(sources, http);
  try {
    const data = await page.load(addressValues(page, http), reader);
    const head = page.head(data, shell.baseUrl);
    request.cacheableUntil = reader.validUntil;
    void reply.headers(pageHeaders(traitsOf(page), shell.settings));
    if (head.status) void reply.status(head.status);
    // The time is read after all reads, so that nothing is cached beyond its validity.
    const content = { ...reader.content, api, now: clock.now() };
    const children = <PageContentContext.Provider value={content}>{page.render(data)}</PageContentContext.Provider>;
    return renderDocument({ ...shell, head, path: pathOf(page, http), scripts: page.scripts ?? [], children });
  } catch (error) {
    if (!(error instanceof PageMovedError)) throw error;
    void reply.status(302).headers({ location: error.path, ...NO_CACHE_HEADERS });
    return '';
  }
}

type Values = { readonly [name: string]: string };

/** Ignores a name that appears twice in the query string. */
function addressValues({ query = [] }: AnyPage, { request }: HttpExchange): Values {
  const sent = request.query as { readonly [name: string]: unknown };
  const names = query.filter(name => typeof sent[name] === 'string' && sent[name] !== '');
  return { ...(request.params as Values), ...Object.fromEntries(names.map(name => [name, sent[name] as string])) };
}

/** Address of the page without its query string. */
function pathOf({ path }: AnyPage, { request }: HttpExchange): Path {
  const params = request.params as Values;
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name]!)) as Path;
}
