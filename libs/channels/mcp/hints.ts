import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { ToolEffect } from '#libs/http/routes.js';

/** Hints hold for all arguments of a tool. */
export type Hints = Omit<ToolAnnotations, 'title'>;

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
