import { containsAll, pluralize, wordsOf } from '#libs/channels/pages/elements/formats.js';
import { element } from './dom.js';

const field = document.querySelector<HTMLInputElement>('main input[name="q"]')!;
const areas = Array.from(document.querySelectorAll<HTMLElement>('.area'));
const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-words]'));

/** Filters like the server does for a query string. */
function filter(): void {
  const wanted = wordsOf(field.value);
  for (const row of rows) row.hidden = !containsAll(row.dataset['words']!, wanted);
  for (const area of areas) area.hidden = area.querySelector('[data-words]:not([hidden])') === null;
  element<HTMLDetailsElement>('files').open = wanted.length > 0;
  element('found').textContent = pluralize(rows.filter(row => !row.hidden).length, 'operation');
}

field.addEventListener('input', filter);
