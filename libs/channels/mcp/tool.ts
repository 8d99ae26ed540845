import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { InnerResponse, InnerRequest } from '#libs/http/inner-request.js';
import type { ReadRoute, Routes, ToolEffect, WriteRoute } from '#libs/http/routes.js';

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
  ...['list_hires', 'hire_record', 'verify', 'prices', 'post_job', 'delegate', 'read_delegation', 'list_applications'],
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

/** Hints hold for all arguments of a tool. */
type Hints = Omit<ToolAnnotations, 'title'>;

const read: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const add: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const replace: Hints = { ...add, destructiveHint: true };

export const HINTS: { readonly [E in ToolEffect]: Hints } = {
  read,
  serviceRead: { ...read, openWorldHint: false },
  add,
  addOnce: { ...add, idempotentHint: true },
  replace,
  replaceOnce: { ...replace, idempotentHint: true },
};

/** Sends a request to the service in the name of the tool's caller. */
export type RequestSender = (request: InnerRequest) => Promise<InnerResponse>;

/** Key of the `RequestSender` in the SDK's authentication context. */
export const REQUEST_SENDER = 'requestSender';
