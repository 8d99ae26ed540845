import { CHECKS, type CheckName } from '../../record/checks.js';
import { element, createElement } from '../dom.js';
import type { CheckOutcome } from './context.js';

const WORDS = {
  checking: 'checking',
  holds: 'holds',
  broken: 'does not hold',
  untold: 'cannot be checked here',
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
    .catch((error: unknown): CheckOutcome => ({ state: 'untold', because: (error as Error).message, compared: [] }));
  setState(name, outcome.state);
  const line = lineOf(name);
  line
    .querySelector('.compared')!
    .replaceChildren(...outcome.compared.map(([label, value]) => comparedRow(label, value)));
  line.querySelector('.because')!.replaceChildren(outcome.because ?? '', ...outcomeDetails(name, outcome));
  summarize();
}

function comparedRow(label: string, value: string): HTMLElement {
  const row = createElement('div');
  const content = createElement('dd', value);
  content.dir = 'auto';
  row.append(createElement('dt', label), content);
  return row;
}

function outcomeDetails(name: CheckName, outcome: CheckOutcome): HTMLElement[] {
  if (!outcome.more) return [];
  const { label, run } = outcome.more;
  const button = createElement('button', label);
  button.type = 'button';
  button.addEventListener('click', () => void showCheck(name, run));
  return [button];
}

/** Updates the summary, which screen readers announce. */
function summarize(): void {
  const states = CHECKS.map(({ name }) => lineOf(name).dataset['state']);
  const count = (state: string) => states.filter(each => each === state).length;
  const [running, broken] = [count('checking') + count('idle'), count('broken')];
  const outcome = element('outcome');
  outcome.dataset['state'] = running > 0 ? 'checking' : broken > 0 ? 'broken' : 'holds';
  const ended = `${count('holds')} of ${states.length} checks hold, ${broken} do not, and ${count('untold')} cannot be made here.`;
  const summary = running > 0 ? 'Your browser is checking.' : broken > 0 ? `Do not rely on this. ${ended}` : ended;
  if (outcome.textContent !== summary) outcome.textContent = summary;
}
