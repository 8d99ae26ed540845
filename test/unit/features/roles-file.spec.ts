import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readHouseRoles, readRolesFile } from '#libs/features/jobs/roles-file.js';
import { RAILS } from '#libs/payments/rails.js';
import { makeFolder } from '../../temporary-folder.js';

const ROLE = {
  slug: 'greeter',
  title: 'Greet a newcomer',
  summary: 'Say hello to somebody who has just joined.',
  done: 'A post that greets',
  skills: ['english', 'french'],
  seats: 3,
  budget_usd: '2.5',
};

const folder = makeFolder();

function read(text: string, rails = RAILS) {
  const file = join(folder, 'roles.json');
  writeFileSync(file, text);
  return readRolesFile(file, rails);
}

test('requires a named file and finds the default file in the data folder', () => {
  const dataDir = join(folder, 'data');
  expect(() => readRolesFile(join(folder, 'none.json'), RAILS)).toThrow(`${join(folder, 'none.json')} does not exist.`);
  expect(() => readHouseRoles({ houseRoles: 'none.json', dataDir }, RAILS)).toThrow(
    'HOUSE_ROLES: none.json does not exist.',
  );
  expect(readHouseRoles({ houseRoles: null, dataDir }, RAILS)).toBeNull();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'roles.json'), JSON.stringify([ROLE]));
  expect(readHouseRoles({ houseRoles: null, dataDir }, RAILS)).toEqual([ROLE]);
});

test('reads lists and numbers like the fields of a request', () => {
  expect(read(JSON.stringify([ROLE]))).toEqual([ROLE]);
  const same = { ...ROLE, title: ` ${ROLE.title} `, skills: 'English,french', seats: '3' };
  expect(read(JSON.stringify([same]))).toEqual([ROLE]);
  expect(read('[]')).toEqual([]);
});

describe('errors that name the file and the entry', () => {
  const wrong: [string, unknown, RegExp][] = [
    ['an object', { roles: [] }, /roles\.json must be an array of at most 500 jobs\.$/],
    ['too many roles', Array.from({ length: 501 }, () => ROLE), /must be an array of at most 500 jobs\.$/],
    ['an entry that is a string', [ROLE, 'greeter'], /roles\.json, job 2 must be an object\.$/],
    ['an entry that is null', [null], /job 1 must be an object\.$/],
    ['a missing slug', [{ ...ROLE, slug: undefined }], /job 1: `slug` is needed\.$/],
    [
      'a slug in capitals',
      [{ ...ROLE, slug: 'Greeter' }],
      /job 1: `slug` must be a slug of at most 80 letters a-z, digits and hyphens\.$/,
    ],
    ['a duplicate slug', [ROLE, ROLE], /roles\.json names the job greeter twice\.$/],
    ['a short title', [{ ...ROLE, title: 'x' }], /job 1: `title` must be one line of 2 to 80 characters\.$/],
    ['too many seats', [{ ...ROLE, seats: 11 }], /job 1: `seats` must be a number from 1 to 10\.$/],
    ['an invalid skill', [{ ...ROLE, skills: ['<b>'] }], /job 1: `skills` must be at most 5 comma separated/],
    [
      'an absolute expiry time',
      [{ ...ROLE, expires_at: 1_900_000_000_000 }],
      /job 1: a job of the house has no field `expires_at`\.$/,
    ],
    ['a project', [{ ...ROLE, project: 'readers' }], /job 1: a job of the house has no field `project`\.$/],
    [
      'a reference to a previous job',
      [{ ...ROLE, again_of: 'greeter' }],
      /job 1: a job of the house has no field `again_of`\.$/,
    ],
    ['two budgets', [{ ...ROLE, budget: '1' }], /job 1: Send `budget` or `budget_usd`, not both\.$/],
    ['a budget of zero', [ROLE, { ...ROLE, budget_usd: '0' }], /job 2: `budget_usd` must be more than zero/],
    ['an unknown field', [{ ...ROLE, colour: 'red' }], /job 1: a job of the house has no field `colour`\.$/],
  ];

  test.each(wrong)('refuses %s', (_what, entries, sentence) => {
    expect(() => read(JSON.stringify(entries))).toThrow(sentence);
  });

  test('refuses a rail that the service does not settle on', () => {
    const [robinhood] = RAILS;
    const roles = JSON.stringify([ROLE, { ...ROLE, slug: 'scout', rail: 'usdc-base' }]);
    expect(() => read(roles, [robinhood!])).toThrow(/job 2: `rail` must be a rail on which this service settles\.$/);
    expect(() => read(roles, [])).toThrow(/job 1: `rail` must be a rail on which this service settles\.$/);
  });

  test('refuses a file that is not JSON', () => {
    expect(() => read('- greeter')).toThrow(/roles\.json is not valid JSON\.$/);
  });

  test('refuses a folder', () => {
    expect(() => readRolesFile(folder, RAILS)).toThrow(/EISDIR/);
  });
});
