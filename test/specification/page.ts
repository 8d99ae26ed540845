import { CODES } from '#libs/kernel/codes.js';
import { filesOf, textOf } from '../tidy.sources.js';
import { DELEGATE } from './delegate.rows.js';
import { WEBHOOKS } from './webhooks.rows.js';
import { ENDPOINTS } from './endpoints.rows.js';
import { LIMITS } from './limits.rows.js';
import { REQUESTS } from './requests.rows.js';
import { RESOURCES } from './resources.rows.js';
import type { Row } from './row.js';
import { SIBLINGS } from './siblings.rows.js';
import { STATES } from './states.rows.js';

export const PAGE = 'docs/specification.md';

/** Every code with a file of tests that expects it. */
function codeRows(): Row[] {
  const files = filesOf('test').filter(path => path.endsWith('.spec.ts') && !path.includes('/specification/'));
  const texts = files.sort().map(path => [path, textOf(path)] as const);
  return Object.keys(CODES).map(code => {
    const found = texts.find(([, text]) => text.includes(`'${code}'`));
    const file = found ? found[0].slice('test/'.length) : null;
    return { section: 'i1', kind: 'error', item: code, part: 3, test: file };
  });
}

export function rows(): Row[] {
  return [
    ...RESOURCES,
    ...STATES,
    ...ENDPOINTS,
    ...REQUESTS,
    ...LIMITS,
    ...SIBLINGS,
    ...DELEGATE,
    ...WEBHOOKS,
    ...codeRows(),
  ];
}

const HEAD = `# The specification, row by row

Made by \`test/specification/make-page.ts\` from the rows beside it; do not edit. Sections are those of the interface
specification, with an \`i\` those of the page that decides what it leaves open. Each row names a test that fails where
the row is broken.
`;

/** The page: a table for each section. */
export function page(): string {
  const all = rows();
  const sections = [...new Set(all.map(({ section }) => section))].sort(bySection);
  const done = all.filter(({ test }) => test !== null).length;
  const tables = sections.map(section =>
    table(
      section,
      all.filter(row => row.section === section),
    ),
  );
  return [HEAD, `${done} of ${all.length} rows are covered.\n`, ...tables].join('\n');
}

function bySection(a: string, b: string): number {
  const key = (section: string) => [
    section.startsWith('i') ? 1 : 0,
    ...section.replace('i', '').split('.').map(Number),
  ];
  const [x, y] = [key(a), key(b)];
  const at = x.findIndex((value, index) => value !== (y[index] ?? -1));
  return at === -1 ? x.length - y.length : x[at]! - (y[at] ?? -1);
}

function table(section: string, all: readonly Row[]): string {
  const lines = all.map(({ kind, item, part, test }) => `| ${kind} | ${item} | ${part} | ${test ?? ''} |`);
  return [`## ${section}`, '', '| kind | item | part | test |', '|---|---|---|---|', ...lines, ''].join('\n');
}
