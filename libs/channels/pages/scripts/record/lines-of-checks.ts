import { CHECKS, type CheckName } from '../../record/checks.js';
import { element, made } from '../said.js';
import type { Outcome } from './context.js';

const WORDS = {
  checking: 'checking',
  holds: 'holds',
  broken: 'does not hold',
  untold: 'cannot be checked here',
} as const;
type State = keyof typeof WORDS;

const lineOf = (name: CheckName) => element(`check-${name}`);

function state(name: CheckName, state: State): void {
  const line = lineOf(name);
  line.dataset['state'] = state;
  line.querySelector('.state')!.textContent = WORDS[state];
}

/** Carries out a check and shows how it goes. What it throws is why it cannot be told. */
export async function show(name: CheckName, check: () => Outcome | Promise<Outcome>): Promise<void> {
  state(name, 'checking');
  summarize();
  const outcome = await Promise.resolve()
    .then(check)
    .catch((error: unknown): Outcome => ({ state: 'untold', because: (error as Error).message, compared: [] }));
  state(name, outcome.state);
  const line = lineOf(name);
  line.querySelector('.compared')!.replaceChildren(...outcome.compared.map(([what, value]) => pair(what, value)));
  line.querySelector('.because')!.replaceChildren(outcome.because ?? '', ...more(name, outcome));
  summarize();
}

function pair(what: string, value: string): HTMLElement {
  const row = made('div');
  const said = made('dd', value);
  said.dir = 'auto';
  row.append(made('dt', what), said);
  return row;
}

function more(name: CheckName, outcome: Outcome): HTMLElement[] {
  if (!outcome.more) return [];
  const { label, run } = outcome.more;
  const button = made('button', label);
  button.type = 'button';
  button.addEventListener('click', () => void show(name, run));
  return [button];
}

/** Says for those who hear the page, and first, how it stands with all of them. */
function summarize(): void {
  const states = CHECKS.map(({ name }) => lineOf(name).dataset['state']);
  const count = (state: string) => states.filter(each => each === state).length;
  const [running, broken] = [count('checking') + count('idle'), count('broken')];
  const outcome = element('outcome');
  outcome.dataset['state'] = running > 0 ? 'checking' : broken > 0 ? 'broken' : 'holds';
  const ended = `${count('holds')} of ${states.length} checks hold, ${broken} do not, and ${count('untold')} cannot be made here.`;
  const said = running > 0 ? 'Your browser is checking.' : broken > 0 ? `Do not rely on this. ${ended}` : ended;
  if (outcome.textContent !== said) outcome.textContent = said;
}
