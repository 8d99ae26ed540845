import { loadKey } from './join/stored-key.js';
import { element } from './dom.js';

/** Where something was delivered. What acts on it is loaded for who posted the job alone. */
const part = document.getElementById('settling-part');
const own = part && (await loadKey().catch(() => null));
if (part && own && own.museId === part.dataset['poster']) {
  const { settle } = await import('./paying/settling.js');
  await settle(part, own);
} else if (part) {
  element('paying-state').textContent = 'Who posted the job accepts and pays. The key that has is not in this browser.';
}
