import type { ReadRoute, Routes, WriteRoute } from '#libs/http/routes.js';
import type { Hints } from './hints.js';
import { type Row, TABLE } from './table.js';

interface Named {
  readonly name: string;
  readonly title: string;
  readonly hints: Hints;
}

/** A tool and the declared route that it carries out. */
export type Tool = Named &
  ({ readonly method: 'GET'; readonly route: ReadRoute } | { readonly method: 'POST'; readonly route: WriteRoute });

/** The tools over the routes of the service, by name. Throws where one names a route that nobody declares. */
export function toolsOf(routes: Routes, table: readonly Row[] = TABLE): ReadonlyMap<string, Tool> {
  return new Map(table.map(row => [row[0], toolOf(routes, row)]));
}

function toolOf(routes: Routes, [name, call, title, hints]: Row): Tool {
  const [method, path] = call.split(' ') as ['GET' | 'POST', string];
  const named = { name, title, hints };
  const read = method === 'GET' && routes.reads.find(each => each.path === path);
  if (read) return { ...named, method: 'GET', route: read };
  const write = method === 'POST' && routes.writes.find(each => each.path === path);
  if (write) return { ...named, method: 'POST', route: write };
  throw new Error(`The tool ${name} names ${call}, which nobody declares.`);
}

/** The names in the path of a read. */
export const pathNames = (path: string): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
