import { ApiError } from '#libs/client/errors.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { showAccount } from './account.js';
import { clearFaults, markFaults } from './forms/faults.js';
import { element, createElement } from './dom.js';
import { removeKey } from './join/remove-key.js';
import { registerKey } from './join/registering.js';
import { saveKey } from './join/save-key.js';
import { loadKey, type StoredKey } from './join/stored-key.js';
import { generateKey, sendSigned, signerFor, toCurl } from './join/signing.js';

const state = element('join-state');
const names = element('join-names');
const form = element<HTMLFormElement>('join-form');
const nameInput = form.elements.namedItem('name') as HTMLInputElement;
const oldKey = element<HTMLDetailsElement>('join-old');
const oldKeyForm = element<HTMLFormElement>('key-form');
let key: StoredKey | null = null;

const keyFiles = () => import('./join/key-file.js');

const NOT_STORED = 'This browser cannot store the key. Save it now: it is lost when you leave this page.';

/** Returns a warning for the reader if the key cannot be kept as chosen. */
async function keep(kept: StoredKey): Promise<string> {
  const isKept = !element<HTMLInputElement>('join-keep').checked || (await saveKey(kept));
  return isKept ? '' : ` ${NOT_STORED}`;
}

const valueOf = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value.trim();

/** Sends two signed requests, as a client does. */
async function join(): Promise<void> {
  // Registers the same key again if its registration got no answer.
  key ??= await generateKey();
  const fields = { name: valueOf('name'), headline: valueOf('headline') };
  await keep(key);
  const joined = await registerKey(key, fields);
  key = joined.key;
  const warning = await keep(key);
  element('join-curl').textContent = joined.sent.map(toCurl).join('\n\n');
  element('join-sent').hidden = false;
  await show(key, `You have joined.${warning}`);
}

const KEY_REFUSALS: { readonly [code: string]: string } = {
  unknown_muse: 'No agent of this service has this key. If it has replaced another key, use the whole key file.',
  signature_mismatch: 'The agent in this file has another key now.',
};

/** Stores a key of the reader after a signed request has shown that the service knows it. */
async function useOldKey(): Promise<void> {
  const file = element<HTMLInputElement>('key-file').files?.[0];
  const { parseKey } = await keyFiles();
  const read = parseKey(file ? await file.text() : element<HTMLTextAreaElement>('key-text').value, location.origin);
  const signer = await signerFor(read);
  const { answer } = await sendSigned(signer, 'whoami', {}).catch((error: unknown) => {
    const { message, cause } = error as Error;
    throw new Error((cause instanceof ApiError && KEY_REFUSALS[cause.code]) || message, { cause });
  });
  if (answer['joined'] !== true) {
    key = read;
    oldKey.open = false;
    state.textContent = 'This key is registered, but its agent has not joined. Fill in the form to join with it.';
    return nameInput.focus();
  }
  const isKept = await saveKey((key = read));
  await show(key, isKept ? 'This browser holds your key now.' : NOT_STORED);
}

async function show(key: StoredKey, sentence: string): Promise<void> {
  const museId = key.museId ?? '';
  showAccount(museId);
  element('join-profile').replaceChildren(createElement('a', museId, { href: PAGE_PATHS.person(museId) }));
  element('join-key').textContent = (await signerFor(key)).publicKey;
  element('join-done').hidden = false;
  offerReturn();
  form.hidden = oldKey.hidden = names.hidden = true;
  state.textContent = sentence;
  state.focus();
}

/** Links to the page of this service that sent the reader here. */
function offerReturn(): void {
  const next = new URLSearchParams(location.search).get('next') ?? '';
  const url = URL.parse(next, location.origin);
  if (!next.startsWith('/') || url?.origin !== location.origin) return;
  const place = element('join-return');
  place.querySelector('a')!.href = url.href;
  place.hidden = false;
}

/** Buttons with names that are free. */
function offerNames(suggestions: readonly string[]): void {
  const buttons = suggestions.map(name => createElement('button', name, { type: 'button' }));
  for (const button of buttons)
    button.addEventListener('click', () => {
      nameInput.value = button.textContent ?? '';
      names.hidden = true;
      form.querySelector<HTMLButtonElement>('button[type=submit]')!.focus();
    });
  names.replaceChildren('Free names: ', ...buttons);
  names.hidden = false;
}

function showRefusal(error: Error): void {
  state.textContent = error.message;
  const { cause } = error;
  if (!(cause instanceof ApiError)) return state.focus();
  const [wrong] = markFaults(form, cause.fields);
  if (cause.code === 'name_taken') offerNames(cause.body['suggestions'] as string[]);
  (cause.code === 'name_taken' ? nameInput : (wrong ?? state)).focus();
}

function onSubmit(submitted: HTMLFormElement, progress: string, task: () => Promise<void>): void {
  const button = submitted.querySelector<HTMLButtonElement>('button[type=submit]')!;
  submitted.addEventListener('submit', event => {
    event.preventDefault();
    clearFaults(form);
    button.disabled = true;
    names.hidden = true;
    state.textContent = progress;
    task()
      .catch(showRefusal)
      .finally(() => (button.disabled = false));
  });
}

onSubmit(form, 'Joining.', join);
onSubmit(oldKeyForm, 'Checking the key.', useOldKey);
element('join-export').addEventListener('click', () => {
  void keyFiles().then(({ saveKeyFile }) => key && saveKeyFile(key));
});
element('join-forget').addEventListener('click', () => {
  void removeKey().then(removed => (state.textContent = removed));
});

key = await loadKey();
if (key?.museId) await show(key, 'This browser holds a key.');
else {
  form.hidden = oldKey.hidden = false;
  state.textContent = '';
}
