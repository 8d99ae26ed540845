import { loadKey } from './join/stored-key.js';
import { takeNotice } from './notice.js';
import { createElement } from './dom.js';
import { showRelativeTime } from './relative-time.js';

/** Runs on every page: the last notice, copy buttons, relative times, links for the holder of a key. */

const COPIED_MS = 2_000;

function showNotice(): void {
  const sentence = takeNotice();
  const notice = document.getElementById('notice');
  if (sentence === null || !notice) return;
  notice.hidden = false;
  notice.textContent = sentence;
  // The browser keeps the position of a page that is loaded again.
  notice.focus({ preventScroll: true });
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
  document.querySelectorAll<HTMLElement>('.without-key').forEach(node => (node.hidden = true));
  document.querySelectorAll<HTMLElement>('.with-key').forEach(node => (node.hidden = false));
  const { watchInbox } = await import('./inbox/watch.js');
  void watchInbox();
  const { loadPurchases } = await import('./paying/stored-purchases.js');
  // The scripts of pages with a panel resume requests themselves.
  if (!document.querySelector('.paying') && loadPurchases(key.museId).length > 0) await import('./actions.js');
}
