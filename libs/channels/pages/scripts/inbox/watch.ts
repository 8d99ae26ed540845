import { ApiError } from '#libs/client/errors.js';
import type { MuseKey } from '#libs/client/keys.js';
import type { InboxAnswer } from '#libs/client/operations.generated.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { sendSigned, signerFor } from '#libs/channels/pages/scripts/join/signing.js';
import { loadKey, readStored, store } from '#libs/channels/pages/scripts/join/stored-key.js';

/** Unread notices of the key in this browser, shared by all its tabs. */
export interface InboxState {
  readonly museId: string;
  readonly unread: number;
  /** Whether there are more than `unread`. */
  readonly more: boolean;
  /** End of the notices that were counted; null to count again. */
  readonly cursor: string | null;
  /** Unix ms of the last count. */
  readonly countedAt: number;
  /** Unix ms before which no tab asks again. */
  readonly nextAt: number;
  readonly failures: number;
  /** Cursors before the pages that were last marked as read in this browser. */
  readonly markedFrom: readonly string[];
}

const NAME = 'inbox';
const channel = new BroadcastChannel(NAME);

export async function readState(museId: string): Promise<InboxState> {
  const state = await readStored<InboxState>(NAME);
  if (state?.museId === museId) return state;
  return { museId, unread: 0, more: false, cursor: null, countedAt: 0, nextAt: 0, failures: 0, markedFrom: [] };
}

/** Stores the state and shows it in all tabs. */
export async function writeState(state: InboxState): Promise<void> {
  await store(NAME, state);
  channel.postMessage(state);
  show(state);
}

const title = document.title;

function show(state: InboxState): void {
  const text = `${state.unread}${state.more ? '+' : ''}`;
  const count = document.getElementById('unread');
  if (count) {
    count.hidden = state.unread === 0;
    count.textContent = text;
    count.setAttribute('aria-label', `${text} unread`);
  }
  document.querySelector('.menu-button')?.toggleAttribute('data-unread', state.unread > 0);
  document.title = state.unread === 0 ? title : `(${text}) ${title}`;
  document.dispatchEvent(new CustomEvent<InboxState>('inbox', { detail: state }));
}

/** Shows the stored state now, and later states of other tabs. */
async function showState(museId: string): Promise<void> {
  channel.onmessage = ({ data }: MessageEvent<InboxState>) => data.museId === museId && show(data);
  show(await readState(museId));
}

const WAIT_SECONDS = '25';
/** A waiting read counts against the larger limit. It answers at once if there are notices. */
export const PEEK = { peek: 'true', wait: '1' } as const;
/** All tabs together ask at most 90 times an hour, so that programs with the same key have most of the 240. */
const GAP_MS = 40 * SECOND_MS;
const HIDDEN_GAP_MS = 5 * MINUTE_MS;
/** A tab waits for new notices soon after a count. */
const COUNT_GAP_MS = 5 * SECOND_MS;
/** A program may have read notices, which only a new count shows. */
const COUNT_AGE_MS_MAX = 5 * MINUTE_MS;

/** Keeps the number of unread notices current while the page is open. */
export async function watchInbox(): Promise<void> {
  for (;;) {
    const storedKey = await loadKey();
    if (!storedKey?.museId) return;
    const { museId } = storedKey;
    await showState(museId);
    await sleepUntil(async () => (await readState(museId)).nextAt + (document.hidden ? HIDDEN_GAP_MS : 0));
    const key = await signerFor(storedKey);
    await withLock(async () => {
      const state = await readState(museId);
      // Another tab may have asked while this tab waited for the lock.
      if (Date.now() >= state.nextAt) await poll(state, key);
    });
  }
}

const WAKING_EVENTS = ['visibilitychange', 'inbox'] as const;

/** A tab that becomes visible, or that hears from another tab, may be due at another time. */
async function sleepUntil(due: () => Promise<number>): Promise<void> {
  for (let left = (await due()) - Date.now(); left > 0; left = (await due()) - Date.now())
    await new Promise<void>(resolve => {
      const wake = () => {
        clearTimeout(timer);
        WAKING_EVENTS.forEach(name => document.removeEventListener(name, wake));
        resolve();
      };
      const timer = setTimeout(wake, left);
      WAKING_EVENTS.forEach(name => document.addEventListener(name, wake));
    });
}

/** Plain http has no locks, except on localhost: then each tab asks for itself. */
async function withLock(task: () => Promise<void>): Promise<void> {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks) await locks.request('inbox', task);
  else await task();
}

async function poll(state: InboxState, key: MuseKey): Promise<void> {
  const isCount = state.cursor === null || state.more || Date.now() - state.countedAt > COUNT_AGE_MS_MAX;
  // Stored first: a reader who opens many pages must not ask on each.
  await writeState({ ...state, nextAt: Date.now() + (isCount ? COUNT_GAP_MS : GAP_MS) });
  const question = isCount ? PEEK : { after: state.cursor, wait: WAIT_SECONDS };
  const answer = await askInbox(key, question).catch((error: unknown) => error as Error);
  const latest = await readState(state.museId);
  if (answer instanceof Error) {
    const failures = state.failures + 1;
    return writeState({ ...latest, failures, nextAt: Date.now() + backOffMs(answer, failures) });
  }
  if (isCount) return noteCount(state.museId, answer);
  // Another part of the page has counted during the wait.
  if (latest.countedAt !== state.countedAt) return;
  const { items, more, cursor } = answer;
  return writeState({ ...latest, unread: state.unread + items.length, more, cursor, failures: 0 });
}

export async function noteCount(museId: string, { items, more, cursor }: InboxAnswer): Promise<void> {
  const state = await readState(museId);
  await writeState({ ...state, unread: items.length, more, cursor, countedAt: Date.now(), failures: 0 });
}

/** A refused key stays refused for a while; anything else may be repaired soon. */
function backOffMs({ cause }: Error, failures: number): number {
  if (!(cause instanceof ApiError)) return Math.min(GAP_MS * 2 ** failures, HOUR_MS);
  return cause.retryable ? Math.max(cause.retryAfterMs ?? 0, GAP_MS * 2 ** failures) : HOUR_MS;
}

export const askInbox = async (key: MuseKey, fields: { readonly [name: string]: string }) =>
  (await sendSigned(key, 'inbox', fields)).answer as unknown as InboxAnswer;
