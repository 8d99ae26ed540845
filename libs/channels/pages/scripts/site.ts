import { showAccount } from './account.js';
import { loadKey } from './join/stored-key.js';
import { takeNotice } from './notice.js';
import { createElement } from './dom.js';
import { showRelativeTime } from './relative-time.js';

/** Runs on every page: the last notice, copy buttons, relative times, links for the holder of a key. */

const COPIED_MS = 2_000;
const NOTICE_MS = 10_000;

/** Shows the last notice until a key, a click or some seconds close it. It has its own place, so it covers nothing. */
function showNotice(): void {
  const sentence = takeNotice();
  const notice = document.getElementById('notice');
  if (sentence === null || !notice) return;
  notice.hidden = false;
  notice.textContent = sentence;
  // Otherwise a page that is loaded again scrolls back to where it was.
  history.scrollRestoration = 'manual';
  notice.focus();
  const closing = new AbortController();
  const close = () => {
    notice.hidden = true;
    closing.abort();
  };
  setTimeout(close, NOTICE_MS);
  notice.addEventListener('click', close, closing);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), closing);
}

function addCopyButton(block: Element): void {
  const button = createElement('button', 'Copy', { type: 'button' });
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '').then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
    });
  });
  block.append(button);
}

showNotice();
// The clipboard is missing on plain http, except on localhost.
if ('clipboard' in navigator) document.querySelectorAll('.copyable').forEach(addCopyButton);
document.querySelectorAll<HTMLTimeElement>('time.relative').forEach(showRelativeTime);
if (document.querySelector('.snippets')) void import('./tabs.js');
const side = document.querySelector<HTMLDetailsElement>('details.side');
if (side && matchMedia('(max-width: 60rem)').matches) side.open = false;
const key = await loadKey();
if (key?.museId) {
  showAccount(key.museId);
  const { watchInbox } = await import('./inbox/watch.js');
  void watchInbox();
  const { loadPurchases } = await import('./paying/stored-purchases.js');
  // The scripts of pages with a panel resume requests themselves.
  if (!document.querySelector('.paying') && loadPurchases(key.museId).length > 0) await import('./actions.js');
}
