import { readStored, store } from '../join/stored-key.js';

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
export async function showState(museId: string): Promise<void> {
  channel.onmessage = ({ data }: MessageEvent<InboxState>) => data.museId === museId && show(data);
  show(await readState(museId));
}
