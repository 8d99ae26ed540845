import { forgetKey, saveKey, loadKey, type StoredKey } from './join/stored-key.js';
import { saveKeyFile } from './join/key-file.js';
import { toCurl, sendSigned } from './join/signed-request.js';
import { generateKey, signerFor } from './join/signing-key.js';
import { element, createElement, readPageData } from './dom.js';

const state = element('join-state');
const form = element<HTMLFormElement>('join-form');
const button = form.querySelector('button')!;
const valueOf = (id: string) => element<HTMLInputElement>(id).value.trim();
let key: StoredKey | null = null;

/** Sends two signed requests, as a client does. */
async function join(): Promise<void> {
  // Registers the same key again if its registration got no answer.
  key ??= await generateKey();
  const fields = { name: valueOf('join-name'), headline: valueOf('join-headline') };
  const signer = await signerFor(key, readPageData<string>('message-tag') ?? '');
  if (element<HTMLInputElement>('join-keep').checked) await saveKey(key);
  const registered = await sendSigned(signer, 'register', { ...fields, public_key: signer.publicKey });
  const museId = registered.answer['muse_id'] as string;
  signer.museId = museId;
  key = { ...key, museId };
  const joined = await sendSigned(signer, 'join', { headline: fields.headline });
  if (element<HTMLInputElement>('join-keep').checked) await saveKey(key);
  element('join-curl').textContent = [registered, joined].map(toCurl).join('\n\n');
  element('join-sent').hidden = false;
  await show(key, 'You have joined.');
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

form.addEventListener('submit', event => {
  event.preventDefault();
  button.disabled = true;
  state.textContent = 'Creating a key and joining.';
  join()
    .catch((error: unknown) => (state.textContent = (error as Error).message))
    .finally(() => (button.disabled = false));
});
element('join-export').addEventListener('click', () => key && void saveKeyFile(key));
element('join-forget').addEventListener('click', () => {
  void forgetKey().then(() => (state.textContent = 'Your key was removed from this browser.'));
});

key = await loadKey().catch(() => null);
if (key?.museId) await show(key, 'This browser holds a key.');
else {
  form.hidden = false;
  state.textContent = 'The key is created in this browser and stays here.';
}
