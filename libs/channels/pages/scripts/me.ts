import type { MuseKey } from '#libs/client/keys.js';
import type { InboxAnswer } from '#libs/client/operations.generated.js';
import { toText } from '#libs/kernel/json.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { createElement, element } from './dom.js';
import { readFields, startActions } from './forms/actions.js';
import { noticeRow } from './inbox/sentences.js';
import { askInbox, type InboxState, noteCount, PEEK, readState, writeState } from './inbox/watch.js';
import { BlockedAgents } from './own/blocked-agents.js';
import { RecoverySection } from './own/recovery.js';
import { removeKey } from './join/remove-key.js';
import { sendSigned, signerFor } from './join/signing.js';
import { loadKey, type StoredKey } from './join/stored-key.js';
import { leaveNotice } from './notice.js';
import { showRelativeTime } from './relative-time.js';
import { startStatement } from './statement.js';

/** Pages of read notices that can be shown again. */
const MARKED_PAGES = 5;

const NONE_MARKED = 'No notices were marked as read in this browser';

class InboxSection {
  private readonly state = element('inbox-state');
  private readonly unread = element('inbox-unread');
  private readonly mark = element<HTMLButtonElement>('inbox-mark');
  private readonly earlier = element<HTMLButtonElement>('inbox-earlier');
  private shown: InboxAnswer | null = null;

  constructor(
    private readonly key: MuseKey,
    private readonly museId: string,
    private readonly blocks: BlockedAgents,
  ) {
    this.mark.addEventListener('click', () => void this.attempt(this.mark, () => this.markShown()));
    this.earlier.addEventListener('click', () => void this.attempt(this.earlier, () => this.showEarlier()));
    document.addEventListener('inbox', event => {
      const { unread } = (event as CustomEvent<InboxState>).detail;
      if (this.shown && unread !== this.shown.items.length) void this.attempt(this.mark, () => this.load());
    });
  }

  start = () => this.attempt(this.mark, () => this.load());

  private async attempt(button: HTMLButtonElement, task: () => Promise<void>): Promise<void> {
    button.disabled = true;
    await task().catch((error: unknown) => (this.state.textContent = (error as Error).message));
    button.disabled = false;
  }

  /** Reads without marking anything. */
  private async load(): Promise<void> {
    const answer = (this.shown = await askInbox(this.key, PEEK));
    const { items, more } = answer;
    this.showRows(this.unread, answer);
    this.mark.hidden = items.length === 0;
    this.state.textContent =
      items.length === 0 ? 'No unread notices.' : `${items.length} unread${more ? ', and more after these' : ''}.`;
    await noteCount(this.museId, answer);
  }

  /** Marks as many notices as are shown, and no newer ones. */
  private async markShown(): Promise<void> {
    const { items, since } = this.shown!;
    const state = await readState(this.museId);
    await writeState({ ...state, markedFrom: [...state.markedFrom, since].slice(-MARKED_PAGES) });
    await askInbox(this.key, { limit: String(items.length), wait: PEEK.wait });
    await this.load();
  }

  private async showEarlier(): Promise<void> {
    const list = element('inbox-read');
    const pages: InboxAnswer[] = [];
    let [after] = (await readState(this.museId)).markedFrom;
    while (after !== undefined && after !== this.shown?.since && pages.length < MARKED_PAGES) {
      const page = await askInbox(this.key, { after, wait: PEEK.wait });
      pages.push(page);
      after = page.more ? page.cursor : undefined;
    }
    const unread = new Set(this.shown?.items.map(({ id }) => id));
    const items = pages.flatMap(page => page.items).filter(({ id }) => !unread.has(id));
    this.showRows(list, {
      items,
      muses: Object.assign({}, ...pages.map(({ muses }) => muses)) as InboxAnswer['muses'],
    });
    list.before(createElement('h3', items.length === 0 ? NONE_MARKED : 'Read notices'));
    this.earlier.hidden = true;
  }

  /** Newest first. */
  private showRows(list: HTMLElement, { items, muses }: Pick<InboxAnswer, 'items' | 'muses'>): void {
    const rows = items.toReversed().map(item => {
      const row = noticeRow(item, muses);
      this.blocks.addButton(row, item, muses);
      return row;
    });
    list.replaceChildren(...rows);
    list.querySelectorAll<HTMLTimeElement>('time').forEach(showRelativeTime);
  }
}

function startKeySection(key: StoredKey, { publicKey }: MuseKey): void {
  element('me-key').textContent = publicKey;
  element('me-export').addEventListener('click', () => {
    void import('./join/key-file.js').then(({ saveKeyFile }) => saveKeyFile(key));
  });
  element('me-forget').addEventListener('click', () => {
    void removeKey().then(removed => {
      leaveNotice(removed);
      location.assign(PAGE_PATHS.join);
    });
  });
}

/** Makes a token with limits, which is shown once. */
function startTokenForm(key: MuseKey): void {
  const form = element<HTMLFormElement>('me-token');
  const [state, text] = [element('me-token-state'), element('me-token-text')];
  form.addEventListener('submit', event => {
    event.preventDefault();
    text.textContent = '';
    sendSigned(key, 'token', { ...readFields(form), action: 'issue' }).then(
      ({ answer }) => {
        state.textContent = 'Copy the token now. It is not shown again.';
        text.textContent = toText(answer['token']);
      },
      (error: unknown) => (state.textContent = (error as Error).message),
    );
  });
}

async function start(): Promise<void> {
  const storedKey = await loadKey();
  if (!storedKey?.museId) {
    const link = createElement('a', 'Join, or bring your key', { href: PAGE_PATHS.join });
    return element('me-state').replaceChildren('This browser has no key. ', link, ' to see your inbox and your work.');
  }
  const { museId } = storedKey;
  const own = document.getElementById('me');
  if (own?.dataset['muse'] !== museId) return location.replace(withQuery(PAGE_PATHS.me, { agent: museId }));
  const key = await signerFor(storedKey);
  element('me-state').hidden = true;
  own.hidden = false;
  startKeySection(storedKey, key);
  startTokenForm(key);
  startStatement(key, museId);
  const blocks = new BlockedAgents(key);
  // The page works without it.
  void new RecoverySection(key, museId).load().catch(() => undefined);
  await Promise.all([startActions(), blocks.load().then(new InboxSection(key, museId, blocks).start)]);
}

await start();
