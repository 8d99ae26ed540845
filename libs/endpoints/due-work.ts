import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import type { ServiceCommands } from './service-commands.js';

/** Maximum documents of one pass. */
export const DUE_MAX = 100;

interface DueWork<D> {
  /** Documents that may be due, the earliest first. */
  readonly find: () => Promise<readonly { readonly body: D }[]>;
  /** Time of the next decision, unix ms; null without one. */
  readonly dueAt: (body: D) => number | null;
  readonly act: (body: D, at: number) => Promise<unknown>;
}

/** Acts on each document that is due, and skips those with unreadable events. Does nothing while the clock is behind. */
export async function runDueWork<D>({ clock }: ServiceCommands, { find, dueAt, act }: DueWork<D>): Promise<void> {
  if (clock.isSteady?.() === false) return;
  const at = clock.now();
  for (const { body } of await find()) {
    const due = dueAt(body);
    if (due !== null && due <= at) await skipUnreadable(act(body, at));
  }
}
