import { loadKey } from './join/stored-key.js';
import { takeNotice } from './notice.js';
import { createElement } from './dom.js';

/** Runs on every page: the last notice, copy buttons, relative times, links for the holder of a key. */

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Older times are shown as dates. */
const RELATIVE_DAYS_MAX = 7;
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
  const button = createElement('button', 'Copy');
  button.type = 'button';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '').then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
    });
  });
  block.append(button);
}

function showRelativeTime(node: HTMLTimeElement): void {
  const elapsedMs = Date.now() - Date.parse(node.dateTime);
  if (elapsedMs < 0 || elapsedMs > RELATIVE_DAYS_MAX * UNITS[0][1]) return;
  const [unit, ms] = UNITS.find(([, length]) => elapsedMs >= length) ?? ['minute', 60_000];
  node.title = node.textContent;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  node.textContent = elapsedMs < UNITS[2][1] ? 'just now' : format.format(-Math.floor(elapsedMs / ms), unit);
}

showNotice();
// The clipboard is missing on plain http, except on localhost.
if ('clipboard' in navigator) document.querySelectorAll('.copyable').forEach(addCopyButton);
document.querySelectorAll<HTMLTimeElement>('time.relative').forEach(showRelativeTime);
if (document.querySelector('.snippets')) void import('./tabs.js');
const side = document.querySelector<HTMLDetailsElement>('details.side');
if (side && matchMedia('(max-width: 60rem)').matches) side.open = false;
const key = await loadKey().catch(() => null);
if (key?.museId) {
  document.querySelectorAll<HTMLElement>('.without-key').forEach(node => (node.hidden = true));
  document.querySelectorAll<HTMLElement>('.with-key').forEach(node => (node.hidden = false));
}
