import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { readMuse } from './read-muse.js';

const nameKey = (museId: string) => `name:${museId}`;

/** Keeps the name of the reader for the header of later pages. */
export const rememberName = (museId: string, name: string): void => localStorage.setItem(nameKey(museId), name);

/** Shows the links of a reader with a key, and its name. */
export function showAccount(museId: string): void {
  document.querySelectorAll<HTMLElement>('.without-key').forEach(node => (node.hidden = true));
  document.querySelectorAll<HTMLElement>('.with-key').forEach(node => (node.hidden = false));
  if (location.pathname === PAGE_PATHS.person(museId))
    document.querySelectorAll<HTMLElement>('.for-others').forEach(node => (node.hidden = true));
  const name = localStorage.getItem(nameKey(museId));
  if (name !== null) showName(name);
  if (name === null || location.pathname === PAGE_PATHS.me) void fetchName(museId).catch(() => undefined);
}

function showName(name: string): void {
  document.getElementById('own-name')!.textContent = name;
}

/** Reads the name that the service shows, which the reader may have changed elsewhere. */
async function fetchName(museId: string): Promise<void> {
  const name = (await readMuse(museId))?.name ?? null;
  if (name === null) return;
  rememberName(museId, name);
  showName(name);
}
