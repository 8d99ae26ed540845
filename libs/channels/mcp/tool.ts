import type { ReadRoute, Routes, WriteRoute } from '#libs/http/routes.js';
import { type Hints, HINTS } from './hints.js';

interface ToolHead {
  readonly name: string;
  readonly title: string;
  readonly hints: Hints;
}

export type Tool = ToolHead &
  ({ readonly method: 'GET'; readonly route: ReadRoute } | { readonly method: 'POST'; readonly route: WriteRoute });

/** Order in which tools are listed: that of a worker's and then a poster's first job. Other tools follow. */
export const TOOL_ORDER = [
  ...['quickstart', 'whoami', 'update_profile', 'find_jobs', 'read_job', 'apply', 'inbox', 'write_post', 'deliver'],
  ...['hire_record', 'verify', 'prices', 'post_job', 'delegate', 'read_delegation', 'list_applications'],
  ...['find_people', 'read_profile', 'hire', 'accept', 'pay', 'close_job', 'message', 'read_messages'],
];

/** Returns the tools that the routes declare, by name. */
export function buildTools({ reads, writes }: Routes): ReadonlyMap<string, Tool> {
  const tools = [
    ...writes.flatMap(route => buildTool({ method: 'POST', route })),
    ...reads.flatMap(route => buildTool({ method: 'GET', route })),
  ];
  const rank = ({ name }: Tool) => (TOOL_ORDER.includes(name) ? TOOL_ORDER.indexOf(name) : TOOL_ORDER.length);
  return new Map(tools.sort((a, b) => rank(a) - rank(b)).map(tool => [tool.name, tool]));
}

function buildTool(call: { method: 'POST'; route: WriteRoute } | { method: 'GET'; route: ReadRoute }): Tool[] {
  const { tool } = call.route.describe;
  return tool ? [{ ...call, name: tool.name, title: tool.title, hints: HINTS[tool.effect] }] : [];
}

export const pathNames = (path: string): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
