import type { WireFields } from '#libs/client/wire.js';
import { createElement, element } from './dom.js';
import { readFields, type SendFirst, startActions } from './forms/actions.js';
import { sendSigned, signerFor } from './join/signing.js';
import { loadKey } from './join/stored-key.js';
import { readMuse } from './read-muse.js';

const PATHS = {
  apply: '/api/apply',
  hire: '/api/hire',
  deliver: '/api/deliver',
  post: '/api/post',
  profile: '/api/profile',
};
const CHOICES = ['text', 'url', 'post_id'];

/** Posts of the texts in forms, so that another attempt does not post them again. */
const posts = new Map<string, string>();

/**
 * Fields of a step of a job. The text of a delivery becomes a post, which is delivered, and a payout address is saved
 * before its owner applies.
 */
async function stepFields(
  form: HTMLFormElement,
  pressed: HTMLElement | null,
  sendFirst: SendFirst,
): Promise<WireFields> {
  const fields = readFields(form, pressed);
  if (form.dataset['path'] === PATHS.apply) {
    const { payout_address, ...application } = fields;
    const done = 'Your payout address is saved. Apply now.';
    if (payout_address !== undefined) await sendFirst(PATHS.profile, { payout_address }, done, location.pathname);
    return application;
  }
  if (form.dataset['path'] !== PATHS.deliver) return fields;
  const { text, ...delivery } = fields;
  const filled = CHOICES.filter(name => fields[name] !== undefined);
  if (filled.length === 0) throw new Error('Write the result, or give an https address or a post of yours.');
  if (filled.length > 1) throw new Error('Fill in only one: the result, an https address or a post of yours.');
  if (text !== undefined) return { ...delivery, post_id: await postOf(text, sendFirst) };
  const { post_id: post } = delivery;
  return post === undefined ? delivery : { ...delivery, post_id: postIdIn(post) };
}

async function postOf(text: string, sendFirst: SendFirst): Promise<string> {
  const done = 'Your result is a post now. Deliver it by its address.';
  const earlier = posts.get(text);
  if (earlier !== undefined) return earlier;
  const { id } = (await sendFirst(PATHS.post, { text }, done, '/feed/:id')) as { readonly id?: number };
  posts.set(text, String(id));
  return String(id);
}

/** The number of a post, also if its address was given. */
const postIdIn = (post: string): string =>
  post.startsWith(`${location.origin}/`) || post.startsWith('/') ? (/\/feed\/(\d+)/.exec(post)?.[1] ?? post) : post;

/** Shows a button at the top of the page that opens the first main step of the reader. */
function showNextStep(): void {
  const step = document.querySelector<HTMLElement>('.action:not([hidden]) :is(summary, form > button).main');
  if (!step) return;
  const sentence = `Your next step: ${step.textContent}`;
  const button = createElement('button', sentence, { type: 'button', className: 'main' });
  button.addEventListener('click', () => {
    const form = step.closest('details');
    form?.setAttribute('open', '');
    step.scrollIntoView();
    (form?.querySelector<HTMLElement>('input, select, textarea') ?? step).focus({ preventScroll: true });
  });
  const place = element('next-step');
  place.replaceChildren(button);
  place.hidden = false;
}

interface Answered {
  readonly applications: readonly {
    readonly muse_id: string;
    readonly trial_answer: string | null;
    readonly ask: { readonly usd: string } | null;
  }[];
  readonly next: string | null;
}

/** Most applications in one answer. */
const LIMIT = '50';
const ANSWERS_MAX = 20;

const placeOf = (museId: string, name: 'answer' | 'ask') =>
  Array.from(document.querySelectorAll<HTMLElement>(`[data-${name}-of]`)).find(
    ({ dataset }) => dataset[`${name}Of`] === museId,
  );

/** Also makes the form hire for the ask. */
function showAsk(museId: string, usd: string): void {
  const place = placeOf(museId, 'ask');
  if (!place) return;
  place.textContent = `Asks for ${usd} ${place.dataset['token']!}; only you see it`;
  place.hidden = false;
  for (const form of Array.from(document.querySelectorAll<HTMLFormElement>(`form[data-path="${PATHS.hire}"]`))) {
    const fixed = JSON.parse(form.dataset['fixed']!) as WireFields;
    if (fixed['to'] === museId) form.dataset['fixed'] = JSON.stringify({ ...fixed, wage_usd: usd });
  }
}

function showAnswer(museId: string, answer: string): void {
  const place = placeOf(museId, 'answer');
  if (!place) return;
  place.querySelector('.said')!.textContent = answer;
  place.hidden = false;
}

/** Shows the private asks and answers to the screening question to the poster of the job. */
async function showPrivateParts(): Promise<void> {
  const { role = '', poster } = element('applications-part').dataset;
  const storedKey = await loadKey();
  if (!storedKey?.museId || storedKey.museId !== poster) return;
  const key = await signerFor(storedKey);
  let next: string | null = '';
  for (let answers = 0; next !== null && answers < ANSWERS_MAX; answers += 1) {
    const fields: WireFields = { role, limit: LIMIT, ...(next !== '' && { after: next }) };
    const answer: Answered = (await sendSigned(key, 'applications', fields)).answer as unknown as Answered;
    for (const { muse_id, trial_answer, ask } of answer.applications) {
      if (trial_answer !== null) showAnswer(muse_id, trial_answer);
      if (ask !== null) showAsk(muse_id, ask.usd);
    }
    ({ next } = answer);
  }
}

/** Asks only readers without a wallet for a payout address. */
async function hidePayoutAddress(): Promise<void> {
  const field = document.querySelector<HTMLInputElement>(`form[data-path="${PATHS.apply}"] [name=payout_address]`);
  const museId = (await loadKey())?.museId;
  if (!field || !museId) return;
  const muse = await readMuse(museId);
  if (!muse?.verification && !muse?.has_payout_address) return;
  field.closest('label')!.nextElementSibling?.remove();
  field.closest('label')!.remove();
}

// Readers with a wallet may send its address again.
void hidePayoutAddress().catch(() => undefined);
// Without them the poster can still hire, at the budget.
void showPrivateParts().catch(() => undefined);
await startActions(stepFields);
showNextStep();
