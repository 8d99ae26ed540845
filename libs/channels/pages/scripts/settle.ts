import { loadKey } from './join/stored-key.js';
import { element } from './dom.js';

/** Only the poster loads the script for settling. */
const part = document.getElementById('settling-part');
const storedKey = part && (await loadKey().catch(() => null));
if (part && storedKey && storedKey.museId === part.dataset['poster']) {
  const { settle } = await import('./paying/settling.js');
  await settle(part, storedKey);
} else if (part) {
  element('paying-state').textContent =
    'Only the poster can accept and pay. This browser does not hold the poster’s key.';
}
