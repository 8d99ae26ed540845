import type { InboxAnswer, InboxFields } from './operations.generated.js';

export type InboxItem = InboxAnswer['items'][number];

/** Maximum wait of the service in seconds. */
const WAIT_SECONDS = 25;
/** A waiting request counts against a larger limit. It returns at once, as there are items. */
const WAIT_TO_MARK = 1;

export interface InboxOptions {
  /** Seconds that one request waits for new items; 0 ends after the present ones. */
  readonly wait?: number;
}

/**
 * Yields inbox items, oldest first. A page is marked as handed out after its last item, so an interrupted reader gets
 * it again. Items that another reader took first are skipped.
 */
export async function* inboxItems(
  inbox: (fields: InboxFields) => Promise<InboxAnswer>,
  { wait = WAIT_SECONDS }: InboxOptions = {},
): AsyncGenerator<InboxItem, void, undefined> {
  for (;;) {
    const { items } = await inbox({ peek: true, wait });
    yield* items;
    if (items.length > 0) {
      const taken = new Set(items.map(({ id }) => id));
      const marked = await inbox({ limit: items.length, wait: WAIT_TO_MARK });
      // Another reader was faster, so the mark covered other items. Only this reader gets them.
      yield* marked.items.filter(({ id }) => !taken.has(id));
    } else if (wait === 0) return;
  }
}
