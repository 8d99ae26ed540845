#!/usr/bin/env node
// node .ci/commits.mjs [base]: checks the message of every commit since `base`, as CONTRIBUTING.md describes them.
// Without `base` it checks the commits since the first one that had to follow the rules.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const FIRST_BASE = 'a45d3b7f';
const SUBJECT_LENGTH_MAX = 72;
const SUBJECT = /^(feat|fix|docs|test|refactor|perf|build|ci|chore|revert)(\([a-z0-9/-]+\))?!?: [a-z0-9`"'@/].*[^.]$/;

/** Runs git in a folder that may belong to another user, as the folder of a container does. */
function git(...args) {
  const { status, stdout, stderr, error } = spawnSync('git', ['-c', 'safe.directory=*', ...args], { encoding: 'utf8' });
  if (error) throw error;
  return { isDone: status === 0, output: stdout, errors: stderr };
}

/** Returns the arguments of `git log`. A clone without the base is checked as far as its history goes. */
function range(base) {
  if (git('rev-parse', '--verify', '--quiet', `${base}^{commit}`).isDone) return [`${base}..HEAD`];
  // The first commit of a full history imports files. In a shallow clone the oldest commit only looks like the first.
  const isShallow = git('rev-parse', '--is-shallow-repository').output.trim() === 'true';
  return isShallow ? ['HEAD'] : ['HEAD', '--min-parents=1'];
}

function problemsOf(subject, body) {
  return [
    ...(SUBJECT.test(subject) ? [] : ['write the subject as `type(scope): what it does`, without a full stop']),
    ...(subject.length <= SUBJECT_LENGTH_MAX ? [] : [`shorten the subject to ${SUBJECT_LENGTH_MAX} characters`]),
    ...(body.trim() === '' ? ['add a body that says why'] : []),
  ];
}

function check(base) {
  const { isDone, output, errors } = git('log', '--no-merges', '-z', '--format=%h%n%s%n%b', ...range(base), '--');
  if (!isDone) throw new Error(`git log failed: ${errors}`);
  const commits = output.split('\0').filter(Boolean);
  const wrong = commits.flatMap(commit => {
    const [id, subject, ...body] = commit.split('\n');
    return problemsOf(subject, body.join('\n')).map(problem => `${id} "${subject}": ${problem}.`);
  });
  console.log([...wrong, `Checked ${commits.length} commit messages.`].join('\n'));
  if (wrong.length > 0) process.exitCode = 1;
}

if (fs.existsSync('.git')) check(process.argv[2] ?? FIRST_BASE);
else console.log('No commit messages to check: this folder is not a git repository.');
