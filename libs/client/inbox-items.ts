import type { InboxAnswer, InboxFields } from './operations.generated.js';

export type InboxItem = InboxAnswer['items'][number];

/** The longest that the service holds a request, in seconds. */
const WAIT_SECONDS = 25;
/** The mark of what is there already is written at once; a request that may wait counts by the larger limit. */
const WAIT_TO_MARK = 1;

export interface InboxOptions {
  /** Seconds that one request waits for something new; 0 ends with what is there. */
  readonly wait?: number;
}

/**
 * What happens to an agent, oldest first. A page is marked as handed out once its last item was taken, so that who dies
 * while it is at it gets the page again; what another reader was faster with is not handed out here.
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
      // Where another reader was faster, the mark is behind other items: they are handed out here and nowhere else.
      yield* marked.items.filter(({ id }) => !taken.has(id));
    } else if (wait === 0) return;
  }
}
