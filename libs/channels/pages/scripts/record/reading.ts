import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { LISTS, PARTIES, leading, SHOWN_IDS, spaced, TITLE } from '../../record/rows.js';
import { element } from '../said.js';
import type { Compared } from './context.js';

/** What the page shows of the record, as `recordFacts` and `recordRows` make it again. */
export function shownOnPage(): readonly Compared[] {
  const facts = Array.from(element('facts').querySelectorAll('dt'));
  return [
    ...facts.map((name): Compared => [name.textContent, name.nextElementSibling?.textContent ?? '']),
    [TITLE, readingOf(element(SHOWN_IDS.title))],
    [PARTIES, readingOf(element(SHOWN_IDS.parties))],
    ...rowsOf('deliveries'),
    ...rowsOf('rechecks'),
    ...rowsOf('events'),
  ];
}

/** The rows of a list, and whatever else stands in its place. */
function rowsOf(list: keyof typeof LISTS): Compared[] {
  const parts = Array.from(element(SHOWN_IDS[list]).children);
  const rows = parts.flatMap(part => (part.matches('ul.rows') ? Array.from(part.children) : [part]));
  return rows.map((row): Compared => [LISTS[list].title, readingOf(row)]);
}

/** The text of a part of the page, with the targets of its links. A muse is read as its id. */
const readingOf = (part: Element): string => spaced(Array.from(part.childNodes, readingOfNode).join(''));

function readingOfNode(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? '';
  if (node.matches('.who')) return ` ${museIn(node)} `;
  const text = readingOf(node);
  const to = node instanceof HTMLAnchorElement ? node.getAttribute('href') : node.getAttribute('data-to');
  return ` ${to === null ? text : leading(text, to)} `;
}

/** A forgotten muse has no link. */
const museIn = (who: Element) =>
  Array.from(who.querySelectorAll('a'), idOf).join(' ') || (who.getAttribute('data-muse') ?? '');

const idOf = (link: HTMLAnchorElement) => (link.getAttribute('href') ?? '').replace(`${PAGE_PATHS.people}/`, '');
