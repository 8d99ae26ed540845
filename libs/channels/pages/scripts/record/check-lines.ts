import { CHECKS, type CheckName } from '#libs/channels/pages/record/checks.js';
import { createElement, createFact, element } from '#libs/channels/pages/scripts/dom.js';
import { type CheckOutcome, messageOf } from './context.js';

const WORDS = {
  checking: 'checking',
  holds: 'holds',
  broken: 'fails',
  absent: 'does not apply',
  skipped: 'not checked here',
  unchecked: 'not verified',
} as const;
type State = keyof typeof WORDS;

const lineOf = (name: CheckName) => element(`check-${name}`);

function setState(name: CheckName, state: State): void {
  const line = lineOf(name);
  line.dataset['state'] = state;
  line.querySelector('.state')!.textContent = WORDS[state];
}

/** An error means that the check cannot be made. */
export async function showCheck(name: CheckName, check: () => CheckOutcome | Promise<CheckOutcome>): Promise<void> {
  setState(name, 'checking');
  summarize();
  const outcome = await Promise.resolve()
    .then(check)
    .catch((error: unknown): CheckOutcome => ({ state: 'unchecked', because: messageOf(error), compared: [] }));
  setState(name, outcome.state);
  const line = lineOf(name);
  line.dataset['skipped'] = outcome.skipped ?? '';
  line.querySelector('.compared')!.replaceChildren(...outcome.compared.map(fact => createFact(...fact)));
  line.querySelector('.because')!.replaceChildren(outcome.because ?? '', ...outcomeDetails(name, outcome));
  summarize();
}

function outcomeDetails(name: CheckName, outcome: CheckOutcome): HTMLElement[] {
  if (!outcome.more) return [];
  const { label, run } = outcome.more;
  const button = createElement('button', label, { type: 'button' });
  button.addEventListener('click', () => void showCheck(name, run));
  return [button];
}

/** Updates the verdict, which screen readers announce. */
function summarize(): void {
  const lines = CHECKS.map(({ name }) => lineOf(name).dataset);
  const states = lines.map(({ state }) => state as State | 'idle');
  const [state, verdict, rest = ''] = verdictOf(
    states,
    lines.flatMap(({ skipped }) => skipped || []),
  );
  const outcome = element('outcome');
  outcome.dataset['state'] = state;
  if (state === 'broken' || state === 'unchecked') element<HTMLDetailsElement>('checked').open = true;
  if (outcome.textContent === verdict + rest) return;
  outcome.replaceChildren(verdict, createElement('span', rest, { className: 'under' }));
}

type VerdictParts = [state: State, verdict: string, rest?: string];

function verdictOf(states: readonly (State | 'idle')[], skipped: readonly string[]): VerdictParts {
  const count = (state: State | 'idle') => states.filter(each => each === state).length;
  const [held, failed, missing] = [count('holds'), count('broken'), count('unchecked') + count('skipped')];
  const counted = `${held} of ${held + failed + missing} checks that apply`;
  const unchecked = missing === 0 ? '' : `, and ${missing} ${missing === 1 ? 'was' : 'were'} not checked here`;
  if (count('checking') + count('idle') > 0) return ['checking', 'Your browser is checking this record.'];
  if (failed > 0) return ['broken', `Do not rely on this record: only ${counted} hold${unchecked}.`];
  if (count('unchecked') > 0) return ['unchecked', `Not fully verified: ${counted} hold${unchecked}.`];
  if (missing > 0)
    return ['skipped', 'Everything that this page can check holds. ', `Not checked here: ${skipped.join('; ')}.`];
  return ['holds', `Verified in your browser: ${counted}.`];
}
