import type { ReadRoute, Routes, WriteRoute } from '#libs/http/routes.js';
import { type Hints, HINTS } from './hints.js';

interface ToolHead {
  readonly name: string;
  readonly title: string;
  readonly hints: Hints;
}

/** A tool and the declared route that it carries out. */
export type Tool = ToolHead &
  ({ readonly method: 'GET'; readonly route: ReadRoute } | { readonly method: 'POST'; readonly route: WriteRoute });

/** Returns the tools that the declarations of the routes offer, by name. */
export function buildTools({ reads, writes }: Routes): ReadonlyMap<string, Tool> {
  const tools = [
    ...writes.flatMap(route => buildTool({ method: 'POST', route })),
    ...reads.flatMap(route => buildTool({ method: 'GET', route })),
  ];
  return new Map(tools.map(tool => [tool.name, tool]));
}

function buildTool(call: { method: 'POST'; route: WriteRoute } | { method: 'GET'; route: ReadRoute }): Tool[] {
  const { tool } = call.route.describe;
  return tool ? [{ ...call, name: tool.name, title: tool.title, hints: HINTS[tool.effect] }] : [];
}

/** The names in the path of a read. */
export const pathNames = (path: string): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
