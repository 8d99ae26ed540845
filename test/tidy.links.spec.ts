import { dirname, join } from 'node:path/posix';
import { expect, test } from '@jest/globals';
import * as tidy from './tidy.sources.js';

const FENCE = /^```[\s\S]*?^```/gm;
/** A link without a scheme: path and anchor. */
const LINK = /\]\(([^)#:]*)(?:#([^)]+))?\)/g;

const proseOf = (page: string) => tidy.textOf(page).replace(FENCE, '');
/** Anchors of a page, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('links between pages lead to files and headings that exist', () => {
  const files = tidy.filesOf();
  const links = files
    .filter(path => path.endsWith('.md'))
    .flatMap(page =>
      [...proseOf(page).matchAll(LINK)].map(([link, path, anchor]) => {
        const target = path === '' ? page : join(dirname(page), path!);
        return { at: `${page}: ${link}`, target, anchor };
      }),
    );
  expect(links.length).toBeGreaterThan(50);
  const isBroken = ({ target, anchor }: (typeof links)[number]) =>
    !files.includes(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  expect(links.filter(isBroken).map(({ at }) => at)).toEqual([]);
});
