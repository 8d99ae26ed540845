import { ApiError } from '#libs/client/errors.js';
import { newOperation } from '#libs/client/exchange.js';
import type { MuseKey } from '#libs/client/keys.js';
import type { WireFields } from '#libs/client/wire.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { leaveNotice } from '#libs/channels/pages/scripts/notice.js';
import { isBlockForm, selectBlockForms } from './block-forms.js';
import { keepDraft, removeDraft } from './drafts.js';
import { clearFaults, markFaults } from './faults.js';
import { OwnAgent } from './own-agent.js';
import { startWalletFields } from './wallet-fields.js';
import { hideStatus, movePanel, showRefusal, showStatus } from '#libs/channels/pages/scripts/paying/panel.js';
import {
  continuePurchase,
  executePurchase,
  receiptText,
  shouldResume,
} from '#libs/channels/pages/scripts/paying/purchase.js';
import {
  executeAlone,
  isUnchanged,
  loadPurchases,
  type StoredPurchase,
} from '#libs/channels/pages/scripts/paying/stored-purchases.js';
import { createElement, element } from '#libs/channels/pages/scripts/dom.js';

/** The script of `Action`: sends the forms of a page, signed by the key in this browser. */

const RESUMED = 'Your earlier payment was resumed.';
const MARKED = 'Correct the marked fields.';

/** Sends another request first and returns its answer. `done` and `next` are for a resumed one. */
export type SendFirst = (path: string, fields: WireFields, done: string, next: string) => Promise<JsonObject>;

type FormFields = (
  form: HTMLFormElement,
  pressed: HTMLElement | null,
  sendFirst: SendFirst,
) => WireFields | Promise<WireFields>;

const fixedFields = (form: HTMLFormElement) => JSON.parse(form.dataset['fixed'] ?? '{}') as WireFields;

/** The filled inputs, the value of the pressed button and the fixed fields. */
export function readFields(form: HTMLFormElement, pressed: HTMLElement | null = null): WireFields {
  const fields: { [name: string]: string } = {};
  const sendsEmpty = 'sendsEmpty' in form.dataset;
  new FormData(form, pressed).forEach((value, name) => {
    if (typeof value === 'string' && (value.trim() !== '' || sendsEmpty)) fields[name] = value.trim();
  });
  return { ...fields, ...fixedFields(form) };
}

const newPurchase = (request: Pick<StoredPurchase, 'museId' | 'path' | 'fields' | 'done' | 'next'>) => ({
  ...request,
  begun: newOperation(),
});

const purchaseOf = (form: HTMLFormElement, museId: string, fields: WireFields): StoredPurchase =>
  newPurchase({
    museId,
    path: form.dataset['path']!,
    fields,
    done: form.dataset['done']!,
    next: form.dataset['next'] ?? location.pathname + location.search,
  });

const addressOf = (next: string, answer: JsonObject) =>
  next.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(answer[name] as string));

function openNext({ done, next }: StoredPurchase, answer: JsonObject, remark: string): void {
  const address = addressOf(next, answer);
  leaveNotice([remark, done, receiptText(answer)].filter(Boolean).join(' '));
  if (address === location.pathname + location.search) location.reload();
  else location.assign(address);
}

/** Sends one request at a time, because they share a panel. */
async function send(
  prepare: () => StoredPurchase | Promise<StoredPurchase>,
  execute: (purchase: StoredPurchase) => Promise<JsonObject>,
  form?: HTMLFormElement,
  remark = '',
): Promise<void> {
  const buttons = Array.from(document.querySelectorAll<HTMLButtonElement>('.action button[type=submit]'));
  if (form) clearFaults(form);
  if (form) movePanel(form);
  buttons.forEach(button => (button.disabled = true));
  try {
    const purchase = await prepare();
    const answer = await execute(purchase);
    if (form) removeDraft(form);
    openNext(purchase, answer, remark);
  } catch (error) {
    const { message, cause } = error as Error;
    const faults = cause instanceof ApiError ? cause.fields : [];
    const wrong = form ? markFaults(form, faults) : [];
    const unmarked = faults.filter(({ field }) => !wrong.some(input => input.getAttribute('name') === field));
    showRefusal(wrong.length === 0 ? message : [MARKED, ...unmarked.map(({ error }) => error)].join(' '));
    wrong[0]?.focus();
    buttons.forEach(button => (button.disabled = false));
  }
}

const isMentioned = (ids: string | undefined, museId: string) => ids?.split(' ').includes(museId) ?? false;

/** Readers without a key join when they send a form that everyone may use. */
const mayUse = ({ dataset: { only, except } }: HTMLElement, museId: string | null) =>
  museId === null
    ? only === undefined
    : (only === undefined || isMentioned(only, museId)) && !isMentioned(except, museId);

function offerToJoin(hasForms: boolean): void {
  const { purpose = '', closed } = element('paying-state').dataset;
  const back = encodeURIComponent(location.pathname + location.search + location.hash);
  const linkTo = (text: string) => createElement('a', text, { href: `${PAGE_PATHS.join}?next=${back}` });
  if (closed !== undefined)
    showStatus(`${closed} If you take part in it, `, linkTo('use your key'), ' in this browser.');
  else if (hasForms)
    showStatus(`To ${purpose} here, you join with a name at the last step. Or `, linkTo('use your key'), '.');
  else showStatus(`To ${purpose} here, `, linkTo('join first'), ': it takes one form, no account or e-mail.');
}

function showLater(later: string): void {
  const link = createElement('a', 'the agent that continues its work', { href: PAGE_PATHS.person(later) });
  showStatus(
    'The key in this browser is of an earlier identity, which can only read. To act, use the key of ',
    link,
    '.',
  );
}

/** Whether the stored request is one of this form. */
const isOf = (form: HTMLFormElement, { path, fields }: StoredPurchase): boolean =>
  form.dataset['path'] === path && Object.entries(fixedFields(form)).every(([name, value]) => fields[name] === value);

/** Resumes a request of any page, even if its form is elsewhere or has gone. Returns whether it was sent. */
async function resume(purchase: StoredPurchase, key: MuseKey, forms: readonly HTMLFormElement[]): Promise<boolean> {
  if (!isUnchanged(purchase)) return false;
  const form = forms.find(each => isOf(each, purchase));
  form?.closest('details')?.setAttribute('open', '');
  if (form) movePanel(form);
  if (!(await shouldResume(purchase))) return false;
  await send(
    () => purchase,
    stored => continuePurchase(stored, key),
    form,
    purchase.begun.payment === null ? '' : RESUMED,
  );
  return true;
}

/** Resumes one request, since its result needs the panel or the next page, which resumes the others. */
async function resumeFirst(museId: string, key: MuseKey, forms: readonly HTMLFormElement[]): Promise<void> {
  for (const purchase of loadPurchases(museId))
    if (await executeAlone(purchase, () => resume(purchase, key, forms))) return;
}

const actionText = (button: HTMLElement | null) =>
  (button?.textContent ?? 'go on').trim().replace(/^./, first => first.toLowerCase());

function startForm(form: HTMLFormElement, agent: OwnAgent, fieldsOf: FormFields): void {
  form.addEventListener('submit', event => {
    event.preventDefault();
    const action = actionText(event.submitter);
    const sendFirst: SendFirst = async (path, fields, done, next) => {
      const { museId, key } = await agent.require(action);
      return executePurchase(newPurchase({ museId, path, fields, done, next }), key);
    };
    const fields = fieldsOf(form, event.submitter, sendFirst);
    const prepare = async () => {
      const values = await fields;
      return purchaseOf(form, (await agent.require(action)).museId, values);
    };
    void send(prepare, async purchase => executePurchase(purchase, (await agent.require(action)).key), form);
  });
  keepDraft(form);
}

/** Shows the forms that the reader may use. `fieldsOf` reads the fields of a form. */
export async function startActions(fieldsOf: FormFields = readFields): Promise<void> {
  const agent = await OwnAgent.load();
  if (agent.later !== null) return showLater(agent.later);
  const actions = Array.from(document.querySelectorAll<HTMLElement>('.action')).filter(action =>
    mayUse(action, agent.member?.museId ?? null),
  );
  const show = (shown: readonly HTMLElement[]) => {
    for (const action of shown) {
      startForm(action.querySelector('form')!, agent, fieldsOf);
      action.hidden = false;
    }
  };
  show(actions.filter(action => !isBlockForm(action)));
  void selectBlockForms(actions.filter(isBlockForm), agent.member?.key ?? null).then(show);
  const forms = actions.map(action => action.querySelector('form')!);
  startWalletFields();
  if (!agent.member) return offerToJoin(forms.length > 0);
  hideStatus();
  void resumeFirst(agent.member.museId, agent.member.key, forms);
}
