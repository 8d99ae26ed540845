import { readName } from '#libs/endpoints/openapi/operations.js';
import type { ReadRoute, OtherRoute, Routes, WriteRoute } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';

const JSON_BODY = "-H 'content-type: application/json'";
const BEARER = '-H "authorization: Bearer $TOKEN"';

/** A value as JSON between single quotes of a shell, or the variable that stands for it. */
const shellJson = (value: string, variable: string | undefined) =>
  variable === undefined ? JSON.stringify(value).replaceAll("'", "'\\''") : `"'"$${variable}"'"`;

/** Something that anybody may ask for by GET. */
export type ListedRead = ReadRoute | OtherRoute;

/**
 * The commands that a text for agents names, each made of the declaration of what it calls. One that is not declared,
 * or whose fields would be refused, throws: no text names what is not there.
 */
export class CurlCommands {
  constructor(
    /** The service's own address, without a slash at its end. */
    readonly url: string,
    private readonly routes: Routes,
  ) {}

  /** Every write, in the order of the features. */
  get writes(): readonly WriteRoute[] {
    return this.routes.writes;
  }

  /** Every read of the interface. */
  get reads(): readonly ListedRead[] {
    const others = this.routes.others.filter(({ method }) => method === 'GET');
    return [...this.routes.reads, ...others].filter(({ path }) => path.startsWith('/api/'));
  }

  /**
   * A POST with these fields, in the name of whoever has the token.
   *
   * @param variables names of fields whose value is an example alone, and of the shell variable to be sent instead
   */
  post(endpoint: string, fields: RequestFields, variables: { readonly [field: string]: string } = {}): string {
    const route = this.routes.writes.find(each => each.endpoint === endpoint);
    if (!route) throw new Error(`There is no endpoint ${endpoint}.`);
    const { ignored } = route.parse(fields);
    if (ignored.length > 0) throw new Error(`${endpoint} does not know ${ignored.join(', ')}.`);
    const sent = Object.entries(fields).map(([name, value]) => `"${name}":${shellJson(value, variables[name])}`);
    const bearer = route.caller === 'anyone' ? '' : `${BEARER} `;
    return `curl -sS -X POST ${this.url}${route.path} ${bearer}${JSON_BODY} \\\n  -d '{${sent.join(',')}}'`;
  }

  /** A GET of what stands for a path, as `/api/role/:slug`, with a value for each name in it. */
  get(path: string, values: { readonly [name: string]: string } = {}, query = ''): string {
    const known = [...this.routes.reads, ...this.routes.others].some(each => each.path === path);
    if (!known) throw new Error(`There is no read ${path}.`);
    const filled = path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? `:${name}`);
    return `curl -sS '${this.url}${filled}${query}'`;
  }

  /** Where the description says what a read takes and answers. */
  docsOf({ path }: ListedRead): string {
    return `${this.url}/docs/${readName(path)}`;
  }
}
