import type { MuseKey } from '#libs/client/keys.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { loadKey } from './join/stored-key.js';
import { signerFor } from './join/signing-key.js';
import { type StoredPurchase, loadPurchases } from './paying/stored-purchases.js';
import { showStatus } from './paying/panel.js';
import { executePurchase, shouldResume, newPurchase, receiptText } from './paying/purchase.js';
import { element, createElement, readPageData } from './dom.js';

const PATH = '/api/job';
const form = element<HTMLFormElement>('post-form');

interface Project {
  readonly slug: string;
  readonly name: string | null;
}

function readForm(): { readonly [name: string]: string } {
  const filled: { [name: string]: string } = {};
  new FormData(form).forEach((value, name) => {
    if (typeof value === 'string' && value.trim() !== '') filled[name] = value.trim();
  });
  const { rail, days, ...fields } = filled;
  return {
    ...fields,
    ...(fields['budget_usd'] !== undefined && rail !== undefined && { rail }),
    ...(days !== undefined && { expires_at: String(Date.now() + Number(days) * DAY_MS) }),
  };
}

/** Lists the reader's projects: jobs can only be posted for those. */
async function offerProjects(museId: string): Promise<void> {
  const response = await fetch(`/api/muse/${museId}`);
  if (!response.ok) return;
  const { muse } = (await response.json()) as { readonly muse: { readonly projects: readonly Project[] } };
  const options = muse.projects.map(({ slug, name }) =>
    Object.assign(createElement('option', name ?? slug), { value: slug }),
  );
  element('post-projects').replaceChildren(...options);
}

async function post(purchase: StoredPurchase, key: MuseKey): Promise<void> {
  form.hidden = true;
  try {
    showPosted(await executePurchase(purchase, key), purchase.fields['title'] ?? '');
    form.reset();
  } catch (error) {
    showStatus((error as Error).message);
  }
  form.hidden = false;
}

function showPosted(answer: JsonObject, title: string): void {
  const link = createElement('a', title);
  link.href = PAGE_PATHS.job(answer['role'] as string);
  showStatus('Posted: ', link, `. ${receiptText(answer)}`);
}

async function start(): Promise<void> {
  const storedKey = await loadKey().catch(() => null);
  if (!storedKey?.museId) return showStatus('This browser has no key of yours. Join first to create one.');
  const { museId } = storedKey;
  // Without the list the reader can still type the name.
  void offerProjects(museId).catch(() => undefined);
  const key = await signerFor(storedKey, readPageData<string>('message-tag') ?? '');
  form.addEventListener('submit', event => {
    event.preventDefault();
    void post(newPurchase(museId, PATH, readForm()), key);
  });
  const [begun] = loadPurchases(museId, PATH);
  if (begun && (await shouldResume(begun, `“${begun.fields['title']}”`))) return post(begun, key);
  form.hidden = false;
  if (begun) return;
  showStatus('The key in this browser signs the job. If there is a fee, you see it before your wallet asks you.');
}

await start();
