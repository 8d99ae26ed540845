import { SeenPositions } from '#libs/client/index.js';
import type { Position } from '#libs/kernel/event.js';
import { explainError } from './logged-errors.js';

const MIN_POSITION = 'min-position';
/** POSTs that change nothing. */
const ASKS = /\/api\/(applications|whoami)$/;

/** Waits until the documents contain what is in the log up to a position. */
type Reach = (position: Position) => Promise<unknown>;

interface StoryState {
  /** The newest position that an answer of these addresses has carried. */
  readonly seen: SeenPositions;
  readonly reach: Reach | null;
}

const storyStates = new Map<string, StoryState>();
const plainFetch = globalThis.fetch;

/**
 * A story is told in order: what one agent has written the next one reads, wherever either of them goes. Documents
 * follow the log a moment later, so that this is true only for who waits for them, or carries the position: from now on
 * every plain read of these addresses waits by `reach`, or without one carries what it has to see. Answers what ends it.
 */
export function orderStoryReads(addresses: readonly string[], reach: Reach | null = null): () => void {
  const story = { seen: new SeenPositions(), reach };
  for (const address of addresses) storyStates.set(address, story);
  globalThis.fetch = storyFetch;
  return () => {
    for (const address of addresses) storyStates.delete(address);
    if (storyStates.size === 0) globalThis.fetch = plainFetch;
  };
}

const storyFetch: typeof fetch = async (input, init) => {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
  const story = storyStates.get(origin);
  if (!story) return plainFetch(input, init);
  const response = await plainFetch(input, input instanceof Request ? init : await inOrder(pathname, init, story));
  story.seen.note(response.headers.get('event-position'));
  if (response.status === 500) await showWhy(`${init?.method ?? 'GET'} ${pathname}`, response);
  return response;
};

/** The answer itself tells nobody. */
async function showWhy(request: string, response: Response): Promise<void> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { error_id: errorId } = (body ?? {}) as { readonly error_id?: string };
  console.error(`${request} was answered with a 500. ${await explainError(errorId)}`);
}

/**
 * A read sees what is newest, or what it asks for itself where that is newer. A write that carries no position waits for
 * the documents itself.
 */
async function inOrder(path: string, init: RequestInit | undefined, { seen: { latest }, reach }: StoryState) {
  const isRead = (init?.method ?? 'GET') === 'GET' || ASKS.test(path);
  const headers = new Headers(init?.headers);
  const own = headers.get(MIN_POSITION);
  if (latest === null || (own !== null && !isLower(own, latest))) return init;
  if (own === null && !isRead) return init;
  if (own === null && reach) {
    await reach(latest);
    return init;
  }
  headers.set(MIN_POSITION, latest);
  return { ...init, headers };
}

const isLower = (own: string, latest: string) => own === '0' || (own.length === latest.length && own < latest);
