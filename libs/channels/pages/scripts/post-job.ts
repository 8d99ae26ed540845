import type { MuseAnswer } from '#libs/client/operations.generated.js';
import type { WireFields } from '#libs/client/wire.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { ownEscrowSentence } from '#libs/channels/pages/elements/escrow-texts.js';
import { calculateFee, formatUsdAmount, parseUsdAmount } from '#libs/kernel/money.js';
import { readFields, startActions } from './forms/actions.js';
import { loadKey } from './join/stored-key.js';
import { readMuse } from './read-muse.js';
import { createElement, element } from './dom.js';

const fee = element('job-fee');
const form = fee.closest('form')!;
const labelOf = (name: string) => form.querySelector<HTMLElement>(`label:has([name=${name}])`);
const rail = labelOf('rail')!;
/** Null on a service without an escrow. */
const choice = labelOf('escrow');
const TERMS = ['work_days', 'review_days', 'arbiter'];
const ESCROW_FIELDS = ['escrow', ...TERMS];
/** An escrow has days instead. */
const HOURS = 'deliver_hours';
/** Only for a wage that the poster pays after the delivery. */
const PAY_DAYS = 'pay_within_days';

/** Whether an escrow is offered and chosen. */
const isEscrowed = () => choice !== null && !choice.hidden && readFields(form)['escrow'] === 'true';

/** Rail and escrow need a budget, terms an escrow, and the days become a time. */
function jobFields(): WireFields {
  const { rail, expires_at: days, ...others } = readFields(form);
  const expires_at = /^\d+$/.test(days ?? '') ? String(Date.now() + Number(days) * DAY_MS) : days;
  const unsent = isEscrowed() ? [HOURS, PAY_DAYS] : ESCROW_FIELDS;
  const isSent = (name: string) => !unsent.includes(name) && (name !== PAY_DAYS || others['budget_usd'] !== undefined);
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name]) => isSent(name))),
    ...(others['budget_usd'] !== undefined && rail !== undefined && { rail }),
    ...(expires_at !== undefined && { expires_at }),
  };
}

/** At least two decimals, as people write dollars. */
const dollars = (units: bigint) => formatUsdAmount(units).replace(/\.(\d)$/, '.$10');

function showFee(): void {
  const { budget_usd: budget = '', seats = '1' } = readFields(form);
  rail.hidden = budget === '';
  labelOf(PAY_DAYS)!.hidden = budget === '' || isEscrowed();
  const units = parseUsdAmount(budget);
  const isCountable = /^[1-9]\d?$/.test(seats);
  if (budget === '') fee.textContent = 'No pay, so no fee.';
  else if (units === null || units === 0n || !isCountable) fee.textContent = '';
  else {
    const [total, count] = [calculateFee(units, Number(seats)), seats === '1' ? '1 seat' : `${seats} seats`];
    fee.textContent = `${formatUsdAmount(units)} USD x ${count}: ${dollars(total)} USD fee`;
  }
}

/** Includes projects of the earlier identity, for which the reader acts. */
async function projectsOf(museId: string): Promise<MuseAnswer['muse']['projects']> {
  const muse = await readMuse(museId);
  const earlier = await Promise.all((muse?.earlier ?? []).map(({ muse_id }) => projectsOf(muse_id)));
  return [...(muse?.projects ?? []), ...earlier.flat()];
}

/** Lists the reader's projects: jobs can only be posted for those. */
async function offerProjects(): Promise<void> {
  const museId = (await loadKey())?.museId;
  const names = new Map((museId ? await projectsOf(museId) : []).map(({ slug, name }) => [slug, name ?? slug]));
  const options = [...names].map(([slug, name]) => createElement('option', name, { value: slug }));
  element('post-projects').replaceChildren(...options);
}

/** Shows the choice on rails that have an escrow, its terms once it is chosen, and what they mean. */
function showEscrow(): void {
  if (!choice) return;
  const { rail: name = '', budget_usd: budget = '' } = readFields(form);
  const note = element('escrow-terms');
  choice.hidden = budget === '' || !note.dataset['rails']!.split(' ').includes(name);
  const isChosen = isEscrowed();
  for (const term of TERMS) labelOf(term)!.hidden = !isChosen;
  labelOf(HOURS)!.hidden = isChosen;
  const { work_days = '7', review_days = '3', arbiter = '' } = readFields(form);
  const undecided = arbiter === '' ? 'returned' : 'released';
  const terms = { work_days: Number(work_days), review_days: Number(review_days), undecided } as const;
  note.textContent = isChosen ? ownEscrowSentence(terms) : '';
}

function showTerms(): void {
  showFee();
  showEscrow();
}

form.addEventListener('input', showTerms);
showTerms();
// Without the list the reader can still type the name.
void offerProjects().catch(() => undefined);
await startActions(jobFields);
