import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import {
  LISTS,
  PARTIES,
  withTarget,
  ELEMENT_IDS,
  collapseSpaces,
  TITLE,
} from '#libs/channels/pages/record/record-texts.js';
import { formatTime } from '#libs/channels/pages/elements/formats.js';
import { element } from '#libs/channels/pages/scripts/dom.js';
import type { ComparedValue } from './context.js';

/** Reads the texts that `recordFacts` and `recordRows` derive. */
export function readPage(): readonly ComparedValue[] {
  const facts = Array.from(element('facts').querySelectorAll('dt'));
  return [
    ...facts.map((name): ComparedValue => [name.textContent, name.nextElementSibling?.textContent ?? '']),
    [TITLE, readText(element(ELEMENT_IDS.title))],
    [PARTIES, readText(element(ELEMENT_IDS.parties))],
    ...readRows('story'),
    ...readRows('deliveries'),
    ...readRows('rechecks'),
    ...readRows('events'),
  ];
}

/** Includes anything else in the place of the list. */
function readRows(list: keyof typeof LISTS): ComparedValue[] {
  const parts = Array.from(element(ELEMENT_IDS[list]).children);
  const rows = parts.flatMap(part => (part.matches('ul.rows') ? Array.from(part.children) : [part]));
  return rows.map((row): ComparedValue => [LISTS[list].title, readText(row)]);
}

/** Includes the targets of links. Agents are read as their ids. */
const readText = (part: Element): string => collapseSpaces(Array.from(part.childNodes, readNode).join(''));

function readNode(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? '';
  // The script of all pages replaces the text of a relative time.
  if (node instanceof HTMLTimeElement) return ` ${formatTime(Date.parse(node.dateTime))} `;
  if (node.matches('.who')) return ` ${readMuseIds(node)} `;
  const text = readText(node);
  const to = node instanceof HTMLAnchorElement ? node.getAttribute('href') : node.getAttribute('data-to');
  return ` ${to === null ? text : withTarget(text, to)} `;
}

/** A forgotten muse has no link. */
const readMuseIds = (who: Element) =>
  Array.from(who.querySelectorAll('a'), idOf).join(' ') || (who.getAttribute('data-muse') ?? '');

const idOf = (link: HTMLAnchorElement) => (link.getAttribute('href') ?? '').replace(`${PAGE_PATHS.people}/`, '');
