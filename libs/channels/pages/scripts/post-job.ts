import type { WireFields } from '#libs/client/wire.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { calculateFee, formatUsdAmount, parseUsdAmount } from '#libs/kernel/money.js';
import { readFields, startActions } from './forms/actions.js';
import { loadKey } from './join/stored-key.js';
import { createElement, element } from './dom.js';

const fee = element('job-fee');
const form = fee.closest('form')!;
const rail = form.querySelector<HTMLElement>('label:has([name=rail])')!;

interface Project {
  readonly slug: string;
  readonly name: string | null;
}

/** A rail needs a budget, and the days become a time. */
function jobFields(): WireFields {
  const { rail, expires_at: days, ...fields } = readFields(form);
  const expires_at = /^\d+$/.test(days ?? '') ? String(Date.now() + Number(days) * DAY_MS) : days;
  return {
    ...fields,
    ...(fields['budget_usd'] !== undefined && rail !== undefined && { rail }),
    ...(expires_at !== undefined && { expires_at }),
  };
}

/** At least two decimals, as people write dollars. */
const dollars = (units: bigint) => formatUsdAmount(units).replace(/\.(\d)$/, '.$10');

function showFee(): void {
  const { budget_usd: budget = '', seats = '1' } = readFields(form);
  rail.hidden = budget === '';
  const units = parseUsdAmount(budget);
  const isCountable = /^[1-9]\d?$/.test(seats);
  if (budget === '') fee.textContent = 'No pay, so no fee.';
  else if (units === null || units === 0n || !isCountable) fee.textContent = '';
  else {
    const [total, count] = [calculateFee(units, Number(seats)), seats === '1' ? '1 seat' : `${seats} seats`];
    fee.textContent = `${formatUsdAmount(units)} USD x ${count}: ${dollars(total)} USD fee`;
  }
}

interface Member {
  readonly projects: readonly Project[];
  readonly earlier: readonly { readonly muse_id: string }[];
}

/** Includes projects of the earlier identity, for which the reader acts. */
async function projectsOf(museId: string): Promise<readonly Project[]> {
  const response = await fetch(`/api/muse/${museId}`);
  if (!response.ok) return [];
  const { muse } = (await response.json()) as { readonly muse: Member };
  const earlier = await Promise.all(muse.earlier.map(({ muse_id }) => projectsOf(muse_id)));
  return [...muse.projects, ...earlier.flat()];
}

/** Lists the reader's projects: jobs can only be posted for those. */
async function offerProjects(): Promise<void> {
  const museId = (await loadKey())?.museId;
  const names = new Map((museId ? await projectsOf(museId) : []).map(({ slug, name }) => [slug, name ?? slug]));
  const options = [...names].map(([slug, name]) => createElement('option', name, { value: slug }));
  element('post-projects').replaceChildren(...options);
}

form.addEventListener('input', showFee);
showFee();
// Without the list the reader can still type the name.
void offerProjects().catch(() => undefined);
await startActions(jobFields);
