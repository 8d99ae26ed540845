import type { ReadRoute, Routes, WriteRoute } from '#libs/http/routes.js';
import { type Hints, HINTS } from './hints.js';

interface Named {
  readonly name: string;
  readonly title: string;
  readonly hints: Hints;
}

/** A tool and the declared route that it carries out. */
export type Tool = Named &
  ({ readonly method: 'GET'; readonly route: ReadRoute } | { readonly method: 'POST'; readonly route: WriteRoute });

/** Returns the tools that the declarations of the routes offer, by name. */
export function toolsOf({ reads, writes }: Routes): ReadonlyMap<string, Tool> {
  const tools = [
    ...writes.flatMap(route => toolOf({ method: 'POST', route })),
    ...reads.flatMap(route => toolOf({ method: 'GET', route })),
  ];
  return new Map(tools.map(tool => [tool.name, tool]));
}

function toolOf(call: { method: 'POST'; route: WriteRoute } | { method: 'GET'; route: ReadRoute }): Tool[] {
  const { tool } = call.route.describe;
  return tool ? [{ ...call, name: tool.name, title: tool.title, hints: HINTS[tool.effect] }] : [];
}

/** The names in the path of a read. */
export const pathNames = (path: string): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
