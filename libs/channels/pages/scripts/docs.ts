import { containsAll, wordsOf } from '../docs/word-filter.js';
import { element } from './dom.js';

const field = document.querySelector<HTMLInputElement>('input[name="q"]')!;
const areas = Array.from(document.querySelectorAll<HTMLElement>('.area'));
const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-words]'));

/** Shows what holds the words, as the service does for whoever asks it for them. */
function filter(): void {
  const wanted = wordsOf(field.value);
  for (const row of rows) row.hidden = !containsAll(row.dataset['words']!, wanted);
  for (const area of areas) area.hidden = area.querySelector('[data-words]:not([hidden])') === null;
  const found = rows.filter(row => !row.hidden).length;
  element('found').textContent = `${found} operation${found === 1 ? '' : 's'}`;
}

field.addEventListener('input', filter);
