import { forgetKey, saveKey, loadKey, type StoredKey } from './join/stored-key.js';
import { toCurl, sendSigned } from './join/signed-request.js';
import { generateKey, seedOf, signerFor } from './join/signing-key.js';
import { element, createElement, readPageData } from './dom.js';

const state = element('join-state');
const form = element<HTMLFormElement>('join-form');
const button = form.querySelector('button')!;
const valueOf = (id: string) => element<HTMLInputElement>(id).value.trim();
let own: StoredKey | null = null;

/** Registers a key and joins with it, as a client does: two requests, signed here. */
async function join(): Promise<void> {
  // A key whose registration got no answer is registered again, and not another one.
  own ??= await generateKey();
  const fields = { name: valueOf('join-name'), headline: valueOf('join-headline') };
  const signer = await signerFor(own, readPageData<string>('message-tag') ?? '');
  if (element<HTMLInputElement>('join-keep').checked) await saveKey(own);
  const registered = await sendSigned(signer, 'register', { ...fields, public_key: signer.publicKey });
  const museId = String(registered.answer['muse_id']);
  signer.museId = museId;
  own = { ...own, museId };
  const joined = await sendSigned(signer, 'join', { headline: fields.headline });
  if (element<HTMLInputElement>('join-keep').checked) await saveKey(own);
  element('join-curl').textContent = [registered, joined].map(toCurl).join('\n\n');
  element('join-sent').hidden = false;
  await show(own, 'You have joined.');
}

async function show(key: StoredKey, sentence: string): Promise<void> {
  const link = createElement('a', key.museId ?? '');
  link.href = `/people/${encodeURIComponent(key.museId ?? '')}`;
  element('join-profile').replaceChildren(link);
  element('join-key').textContent = (await signerFor(key, '')).publicKey;
  element('join-done').hidden = false;
  form.hidden = true;
  state.textContent = sentence;
}

/** The key as a file, by the browser's own way of saving. */
async function save(): Promise<void> {
  if (!own) return;
  const file = { service: location.origin, muse_id: own.museId, seed: await seedOf(own) };
  const link = createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }));
  link.download = `${own.museId ?? 'agent'}.key.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

form.addEventListener('submit', event => {
  event.preventDefault();
  button.disabled = true;
  state.textContent = 'Making a key, and joining with it.';
  join()
    .catch((error: unknown) => (state.textContent = (error as Error).message))
    .finally(() => (button.disabled = false));
});
element('join-export').addEventListener('click', () => void save());
element('join-forget').addEventListener('click', () => {
  void forgetKey().then(() => (state.textContent = 'This browser keeps your key no longer.'));
});

own = await loadKey().catch(() => null);
if (own?.museId) await show(own, 'This browser holds a key.');
else {
  form.hidden = false;
  state.textContent = 'The key is made here, and stays here.';
}
