import { execFileSync, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder } from '../temporary-folder.js';

const SCRIPT = resolve('.ci/commits.mjs');
const BODY = 'It says why.';

let folder: string;
/** Excludes variables of a git hook, which would name another repository. */
let environment: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = makeFolder();
  const person = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
  environment = { PATH: process.env['PATH'], HOME: folder, ...person };
});

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env: environment, encoding: 'utf8' });

function commit(...paragraphs: string[]): string {
  git('commit', '--quiet', '--allow-empty', ...paragraphs.flatMap(text => ['-m', text]));
  return git('rev-parse', '--short', 'HEAD').trim();
}

function check(base?: string, cwd = folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...(base ? [base] : [])], {
    cwd,
    env: environment,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { status, lines: stdout.trim().split('\n') };
}

describe('the check of commit messages', () => {
  beforeEach(() => {
    git('init', '--quiet');
    commit('Import');
  });

  test.each([
    'fix(payments): refuse a second promotion while one is pending',
    'feat!: `reset` keeps keys',
    `docs: ${'a'.repeat(66)}`,
  ])('accepts "%s" with a body', subject => {
    commit(subject, BODY);
    expect(check()).toEqual({ status: 0, lines: ['Checked 1 commit messages.'] });
  });

  test.each([
    ['Fix the thing', 'write the subject'],
    ['fix: Refuse it', 'write the subject'],
    ['fix: refuse it.', 'write the subject'],
    ['fix(Payments): refuse it', 'write the subject'],
    ['change: refuse it', 'write the subject'],
    [`docs: ${'a'.repeat(67)}`, 'shorten the subject to 72 characters'],
  ])('refuses the subject "%s"', (subject, problem) => {
    const id = commit(subject, BODY);
    const { status, lines } = check();
    expect([status, lines.length]).toEqual([1, 2]);
    expect(lines[0]).toContain(`${id} "${subject}": ${problem}`);
  });

  test('refuses a commit without a body', () => {
    const id = commit('fix: refuse it');
    expect(check()).toEqual({
      status: 1,
      lines: [`${id} "fix: refuse it": add a body that says why.`, 'Checked 1 commit messages.'],
    });
  });

  test('skips merges and the commits up to the base', () => {
    const base = commit('An older message');
    git('checkout', '--quiet', '-b', 'topic');
    commit('fix: refuse it', BODY);
    git('checkout', '--quiet', '-');
    commit('docs: explain it', BODY);
    git('merge', '--quiet', '-m', 'Merge topic', 'topic');
    expect(check(base)).toEqual({ status: 0, lines: ['Checked 2 commit messages.'] });
  });

  test('checks the commits of a shallow clone', () => {
    commit('fix: refuse it', BODY);
    commit('Another form', BODY);
    git('clone', '--quiet', '--depth', '2', `file://${folder}`, 'clone');
    const { status, lines } = check(undefined, join(folder, 'clone'));
    expect([status, lines.at(-1)]).toEqual([1, 'Checked 2 commit messages.']);
  });
});

test('the check of commit messages passes in a folder without a repository', () => {
  expect(check()).toEqual({
    status: 0,
    lines: ['No commit messages to check: this folder is not a git repository.'],
  });
});
