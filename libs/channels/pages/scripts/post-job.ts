import type { MuseKey } from '#libs/client/keys.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { kept } from './join/kept-key.js';
import { signerFor } from './join/signing-key.js';
import { type KeptPurchase, keptPurchases } from './paying/kept-purchases.js';
import { say } from './paying/panel.js';
import { carryOut, goesOn, newPurchase, receiptIn } from './paying/purchase.js';
import { element, made, said } from './said.js';

const PATH = '/api/job';
const form = element<HTMLFormElement>('post-form');

interface Project {
  readonly slug: string;
  readonly name: string | null;
}

/** What the reader has filled in. */
function fieldsOf(): { readonly [name: string]: string } {
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

/** Names the projects that the reader is in: a job can be posted for no other. */
async function offerProjects(museId: string): Promise<void> {
  const response = await fetch(`/api/muse/${museId}`);
  if (!response.ok) return;
  const { muse } = (await response.json()) as { readonly muse: { readonly projects: readonly Project[] } };
  const options = muse.projects.map(({ slug, name }) => Object.assign(made('option', name ?? slug), { value: slug }));
  element('post-projects').replaceChildren(...options);
}

async function post(purchase: KeptPurchase, key: MuseKey): Promise<void> {
  form.hidden = true;
  try {
    show(await carryOut(purchase, key), purchase.fields['title'] ?? '');
    form.reset();
  } catch (error) {
    say((error as Error).message);
  }
  form.hidden = false;
}

function show(answer: JsonObject, title: string): void {
  const link = made('a', title);
  link.href = PAGE_PATHS.job(answer['role'] as string);
  say('Posted: ', link, `. ${receiptIn(answer)}`);
}

async function start(): Promise<void> {
  const own = await kept().catch(() => null);
  if (!own?.museId) return say('No key of yours is in this browser: join first, and it is made.');
  const { museId } = own;
  // Without an answer the reader writes the name.
  void offerProjects(museId).catch(() => undefined);
  const key = await signerFor(own, said<string>('message-tag') ?? '');
  form.addEventListener('submit', event => {
    event.preventDefault();
    void post(newPurchase(museId, PATH, fieldsOf()), key);
  });
  const [begun] = keptPurchases(museId, PATH);
  if (begun && (await goesOn(begun, `“${begun.fields['title']}”`))) return post(begun, key);
  form.hidden = false;
  if (begun) return;
  say('The key of this browser signs it. Where it costs something you are shown what, before your wallet asks.');
}

await start();
