import type { MuseKey } from '#libs/client/keys.js';
import type { InboxAnswer } from '#libs/client/operations.generated.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { createElement, element } from '#libs/channels/pages/scripts/dom.js';
import { readBlocks } from '#libs/channels/pages/scripts/forms/block-forms.js';
import { sendSigned } from '#libs/channels/pages/scripts/join/signing.js';
import { readMuse } from '#libs/channels/pages/scripts/read-muse.js';

type InboxItem = InboxAnswer['items'][number];

/** Names that the list reads, each with one request. */
const NAMED_MAX = 20;

/** The agents that the reader blocks, with a button to unblock each, and buttons to block the agents of notices. */
export class BlockedAgents {
  private readonly list = element('blocks-list');
  private readonly state = element('blocks-state');
  /** Kinds of notices that an agent can cause against the will of the reader. */
  private readonly kinds: ReadonlySet<string> = new Set(this.list.dataset['kinds']!.split(' '));
  private blocked: ReadonlySet<string> = new Set();

  constructor(private readonly key: MuseKey) {}

  /** Shows the list. Without it the rest of the page still works. */
  async load(): Promise<void> {
    try {
      const ids = (await readBlocks(this.key)).map(({ muse_id }) => muse_id);
      this.blocked = new Set(ids);
      const named = await Promise.all(ids.slice(0, NAMED_MAX).map(id => readMuse(id).catch(() => null)));
      this.list.replaceChildren(...ids.map((id, at) => this.row(id, named[at]?.name ?? id)));
      this.state.textContent = ids.length === 0 ? 'You block nobody.' : '';
    } catch (error) {
      this.state.textContent = (error as Error).message;
    }
  }

  /** Adds a button to the row of a notice if its agent can be blocked. */
  addButton(row: HTMLElement, { kind, ...item }: InboxItem, muses: InboxAnswer['muses']): void {
    const from = (item as { readonly from?: unknown }).from;
    if (typeof from !== 'string' || !this.kinds.has(kind) || this.blocked.has(from)) return;
    const details = createElement('details', '', { className: 'acts' });
    const button = this.button(`Block ${muses[from]?.name ?? from}`, 'block', from);
    details.append(createElement('summary', 'Block', { className: 'button' }), button);
    row.append(details);
  }

  private row(id: string, name: string): HTMLElement {
    const [row, line] = [createElement('li'), createElement('div', '', { className: 'row' })];
    const link = createElement('a', '', { href: PAGE_PATHS.person(id) });
    link.append(createElement('bdi', name));
    line.append(link, this.button('Unblock', 'unblock', id));
    row.append(line);
    return row;
  }

  private button(text: string, endpoint: 'block' | 'unblock', to: string): HTMLElement {
    const button = createElement('button', text, { type: 'button' });
    button.addEventListener('click', () => {
      button.disabled = true;
      void this.change(button, endpoint, to);
    });
    return button;
  }

  private async change(button: HTMLButtonElement, endpoint: 'block' | 'unblock', to: string): Promise<void> {
    try {
      await sendSigned(this.key, endpoint, { to });
      await this.load();
      if (endpoint === 'block') button.closest('details')?.replaceWith(createElement('p', 'Blocked.'));
    } catch (error) {
      button.disabled = false;
      button.after(createElement('span', (error as Error).message, { className: 'fault' }));
    }
  }
}
