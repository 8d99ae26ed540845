import type { ToolAnnotations } from '@modelcontextprotocol/server';

/** What a host is told of a tool before it lets a model use it. All of it is true whatever the arguments are. */
export type Hints = Omit<ToolAnnotations, 'title'>;

/** It changes nothing, and shows what strangers wrote. */
export const LOOKS: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
/** It changes nothing, and shows what the service itself says. */
export const ASKS: Hints = { ...LOOKS, openWorldHint: false };
/** It adds something each time. */
export const ADDS: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
/** It adds something, and the same again adds nothing. */
export const ADDS_ONCE: Hints = { ...ADDS, idempotentHint: true };
/** It may take the place of what stood there, or cannot be undone. */
export const REPLACES: Hints = { ...ADDS, destructiveHint: true };
/** The same, and the same again changes nothing. */
export const REPLACES_ONCE: Hints = { ...REPLACES, idempotentHint: true };
