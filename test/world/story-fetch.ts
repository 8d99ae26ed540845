import { SeenPositions } from '#libs/client/index.js';
import type { Position } from '#libs/kernel/event.js';
import { explainError } from './logged-errors.js';

const MIN_POSITION = 'min-position';
/** POST requests that only read. */
const ASKS = /\/api\/(applications|whoami)$/;

type Reach = (position: Position) => Promise<unknown>;

interface StoryState {
  /** Newest position returned by these addresses. */
  readonly seen: SeenPositions;
  readonly reach: Reach | null;
}

const storyStates = new Map<string, StoryState>();
const plainFetch = globalThis.fetch;

/**
 * Makes plain reads of these addresses see earlier writes of the test: they wait by `reach` or carry the newest
 * position. Returns a function that ends this.
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

/** Prints the logged cause of a 500, which the response hides. */
async function showWhy(request: string, response: Response): Promise<void> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { error_id: errorId } = (body ?? {}) as { readonly error_id?: string };
  console.error(`${request} was answered with a 500. ${await explainError(errorId)}`);
}

/** Adds the newest position to a read unless it carries a newer one. */
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
