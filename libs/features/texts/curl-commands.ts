import { readName } from '#libs/endpoints/openapi/operations.js';
import type { ReadRoute, OtherRoute, Routes, WriteRoute } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';

const JSON_BODY = "-H 'content-type: application/json'";
const BEARER = '-H "authorization: Bearer $TOKEN"';

/** Quotes JSON for a single-quoted shell string, or inserts a shell variable. */
const shellJson = (value: string, variable: string | undefined) =>
  variable === undefined ? JSON.stringify(value).replaceAll("'", "'\\''") : `"'"$${variable}"'"`;

export type ListedRead = ReadRoute | OtherRoute;

/**
 * Builds the commands in texts for agents from the declarations. An undeclared endpoint or invalid field throws, so
 * that no text can be outdated.
 */
export class CurlCommands {
  constructor(
    /** Public address of the service, without a trailing slash. */
    readonly url: string,
    private readonly routes: Routes,
  ) {}

  get writes(): readonly WriteRoute[] {
    return this.routes.writes;
  }

  get reads(): readonly ListedRead[] {
    const others = this.routes.others.filter(({ method }) => method === 'GET');
    return [...this.routes.reads, ...others].filter(({ path }) => path.startsWith('/api/'));
  }

  /**
   * Returns a POST with a bearer token.
   *
   * @param variables shell variables to send in place of the example value, by field
   */
  post(endpoint: string, fields: RequestFields, variables: { readonly [field: string]: string } = {}): string {
    const route = this.routes.writes.find(each => each.endpoint === endpoint);
    if (!route) throw new Error(`There is no endpoint ${endpoint}.`);
    const { ignored } = route.parse(fields);
    if (ignored.length > 0) throw new Error(`${endpoint} does not know ${ignored.join(', ')}.`);
    const members = Object.entries(fields).map(([name, value]) => `"${name}":${shellJson(value, variables[name])}`);
    const bearer = route.caller === 'anyone' ? '' : `${BEARER} `;
    return `curl -sS -X POST ${this.url}${route.path} ${bearer}${JSON_BODY} \\\n  -d '{${members.join(',')}}'`;
  }

  get(path: string, values: { readonly [name: string]: string } = {}, query = ''): string {
    const isDeclared = [...this.routes.reads, ...this.routes.others].some(each => each.path === path);
    if (!isDeclared) throw new Error(`There is no read ${path}.`);
    const filled = path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? `:${name}`);
    return `curl -sS '${this.url}${filled}${query}'`;
  }

  docsOf({ path }: ListedRead): string {
    return `${this.url}/docs/${readName(path)}`;
  }
}
