import { ApiError } from '#libs/client/errors.js';
import type { MuseKey } from '#libs/client/keys.js';
import type { WireFields } from '#libs/client/wire.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { signerFor } from '../join/signing-key.js';
import { loadKey } from '../join/stored-key.js';
import { leaveNotice } from '../notice.js';
import { clearFaults, showFaults } from './faults.js';
import { hideStatus, movePanel, showRefusal, showStatus } from '../paying/panel.js';
import { executePurchase, newPurchase, receiptText, shouldResume } from '../paying/purchase.js';
import { loadPurchases, type StoredPurchase } from '../paying/stored-purchases.js';
import { createElement, readPageData } from '../dom.js';

/** The script of `Action`: sends the forms of a page, signed by the key in this browser. */

type FormFields = (form: HTMLFormElement, pressed: HTMLElement | null) => WireFields;

/** The filled inputs, the value of the pressed button and the fixed fields. */
export function readFields(form: HTMLFormElement, pressed: HTMLElement | null = null): { [name: string]: string } {
  const fields: { [name: string]: string } = {};
  new FormData(form, pressed).forEach((value, name) => {
    if (typeof value === 'string' && value.trim() !== '') fields[name] = value.trim();
  });
  return { ...fields, ...(JSON.parse(form.dataset['fixed'] ?? '{}') as { readonly [name: string]: string }) };
}

function nextPage(form: HTMLFormElement, answer: JsonObject): string {
  const next = form.dataset['next'];
  if (next === undefined) return location.pathname + location.search;
  return next.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(answer[name] as string | number));
}

async function send(form: HTMLFormElement, purchase: StoredPurchase, key: MuseKey): Promise<void> {
  const buttons = form.querySelectorAll<HTMLButtonElement>('button[type=submit]');
  clearFaults(form);
  movePanel(form);
  buttons.forEach(button => (button.disabled = true));
  try {
    const answer = await executePurchase(purchase, key);
    leaveNotice([form.dataset['done'], receiptText(answer)].filter(Boolean).join(' '));
    location.assign(nextPage(form, answer));
    if (form.dataset['next'] === undefined) location.reload();
  } catch (error) {
    showRefusal((error as Error).message);
    const { cause } = error as Error;
    if (cause instanceof ApiError) showFaults(form, cause.fields);
  } finally {
    buttons.forEach(button => (button.disabled = false));
  }
}

const isMentioned = (ids: string | undefined, museId: string) => ids?.split(' ').includes(museId) ?? false;

const mayUse = ({ dataset: { only, except } }: HTMLElement, museId: string) =>
  (only === undefined || isMentioned(only, museId)) && !isMentioned(except, museId);

function offerToJoin(): void {
  const link = Object.assign(createElement('a', 'Join'), { href: PAGE_PATHS.join });
  showStatus('This browser has no key. ', link, ' to act on this page, or use a program.');
}

/** Whether the stored request is one of this form. */
function isOf(form: HTMLFormElement, { path, fields }: StoredPurchase): boolean {
  const fixed = JSON.parse(form.dataset['fixed'] ?? '{}') as WireFields;
  return form.dataset['path'] === path && Object.entries(fixed).every(([name, value]) => fields[name] === value);
}

/** Shows the forms that the key in this browser may use. `fieldsOf` reads the fields of a form. */
export async function startActions(fieldsOf: FormFields = readFields): Promise<void> {
  const storedKey = await loadKey().catch(() => null);
  if (!storedKey?.museId) return offerToJoin();
  const { museId } = storedKey;
  const key = await signerFor(storedKey, readPageData<string>('message-tag') ?? '');
  hideStatus();
  const actions = Array.from(document.querySelectorAll<HTMLElement>('.action')).filter(action =>
    mayUse(action, museId),
  );
  for (const action of actions) {
    const form = action.querySelector('form')!;
    const path = form.dataset['path']!;
    form.addEventListener('submit', event => {
      event.preventDefault();
      void send(form, newPurchase(museId, path, fieldsOf(form, event.submitter)), key);
    });
    action.hidden = false;
    const unanswered = loadPurchases(museId, path).find(purchase => isOf(form, purchase));
    if (!unanswered) continue;
    action.querySelector('details')?.setAttribute('open', '');
    movePanel(form);
    if (await shouldResume(unanswered, 'Your request')) await send(form, unanswered, key);
  }
}
