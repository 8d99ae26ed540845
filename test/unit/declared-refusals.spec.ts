import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codesOfRead, codesOfWrite, groupByStatus } from '#libs/endpoints/openapi/error-schemas.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { ROUTES } from '#libs/service/routes.js';
import { RefusalScan } from '../refusal-scan.js';
import { filesOf, textOf } from '../tidy.sources.js';

/** Refusals in code that these endpoints share with others, but never reach. */
const UNREACHABLE: { readonly [name: string]: readonly string[] } = {
  // It names no project and repeats no job.
  delegate: ['not_found', 'not_a_member', 'project_closed', 'texts_erased', 'not_the_poster'],
  // They ask only about muses that they know.
  identity: ['unknown_muse'],
  quickstart: ['unknown_muse'],
};
const DECLARATION = /export const (\w+) = define(Command|PrivateQuery|Query)\(\s*'(\w+)'/g;

function declaredFor(path: string): Set<string> {
  const write = ROUTES.writes.find(route => route.path === path);
  const read = ROUTES.reads.find(route => route.path === path);
  const codes = write ? codesOfWrite(write) : read ? codesOfRead(read) : [];
  const groups = groupByStatus(codes, write?.describe.statuses);
  return new Set([...codes, ...[...groups].flatMap(([status, listed]) => listed.map(code => `${code} ${status}`))]);
}

test('every refusal that an endpoint can throw is declared with its status', async () => {
  const scan = new RefusalScan();
  const missing: string[] = [];
  let scanned = 0;
  for (const file of filesOf('libs/features').filter(path => path.endsWith('.ts'))) {
    const declarations = [...textOf(file).matchAll(DECLARATION)];
    if (declarations.length === 0) continue;
    const module = (await import(join(process.cwd(), file))) as { readonly [name: string]: { readonly path: string } };
    for (const [, variable, , name] of declarations) {
      scanned += 1;
      const declared = declaredFor(module[variable!]!.path);
      const codes = [...scan.codesOf(file, variable!)].filter(code => Object.hasOwn(ERROR_CODES, code.split(' ')[0]!));
      const undeclared = codes.filter(code => !declared.has(code) && !UNREACHABLE[name!]?.includes(code));
      missing.push(...undeclared.map(code => `${name}: ${code}`));
    }
  }
  expect(scanned).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

test('the scan finds refusals behind functions, methods of classes and other files', () => {
  const scan = new RefusalScan();
  expect([...scan.codesOf('libs/features/linking/link.ts', 'link')]).toEqual(
    expect.arrayContaining(['no_key 409', 'already_linked', 'wage_owed', 'not_linkable', 'forgotten']),
  );
  expect([...scan.codesOf('libs/features/onboarding/quickstart.ts', 'quickstart')]).toContain('name_taken');
});
