import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { ToolEffect } from '#libs/http/description.js';

/** Hints that a host reads before it lets a model use a tool. They hold for all arguments. */
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
