import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');
const BUILD_MS = 240_000;
/** A short command. */
const OPERATOR = ['apps/run.mjs', 'operator', '--help'];
const run = promisify(execFile);
let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  const parts = ['apps', 'libs', 'test', 'LICENSE', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const part of parts) cpSync(join(ROOT, part), join(clone, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true }));

describe('commands that start at once in a new clone, where an earlier build was killed', () => {
  const stale = () => join(clone, 'dist', 'libs', 'features', 'gone', 'gone.feature.js');
  let outputs: string[];
  beforeAll(async () => {
    mkdirSync(dirname(stale()), { recursive: true });
    writeFileSync(stale(), 'export const goneFeature = null;');
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(clone, 'dist', '.building'), String(pid));
    const starts = Array.from({ length: 3 }, () => run(process.execPath, OPERATOR, { cwd: clone }));
    outputs = (await Promise.all(starts)).map(({ stderr }) => stderr);
  }, BUILD_MS);

  test('build once', () => {
    expect(outputs.filter(text => text.includes('Building (1 of 4)'))).toHaveLength(1);
    expect(existsSync(join(clone, 'dist', '.building'))).toBe(false);
  });

  test('remove the output of deleted sources and build all others', () => {
    const built = ['apps/operator/main.js', 'libs/channels/pages/home.page.js', 'programs/gateway.js'].map(file =>
      existsSync(join(clone, 'dist', file)),
    );
    expect([existsSync(stale()), ...built]).toEqual([false, true, true, true]);
  });
});

test(
  'programs have only single-byte characters and no full phone library',
  () => {
    execFileSync(process.execPath, OPERATOR, { cwd: clone, stdio: 'pipe' });
    const programs = join(clone, 'dist', 'programs');
    const texts = readdirSync(programs).map(file => readFileSync(join(programs, file), 'utf8'));
    expect(texts.length).toBeGreaterThan(4);
    for (const text of texts) {
      expect(/[^\0-\xff]/.exec(text)?.[0]).toBeUndefined();
      expect(text).not.toContain('libphonenumber');
    }
    // Nest injects by this metadata, which the compiler writes and esbuild does not.
    expect(texts.some(text => text.includes('"design:paramtypes", [ReadModels'))).toBe(true);
  },
  BUILD_MS,
);

test(
  'a declaration that no list names fails the build with both files',
  () => {
    const text = readFileSync(join(clone, 'libs/features/network/connect.ts'), 'utf8');
    const file = join(clone, 'libs/features/network/forgotten.ts');
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(process.execPath, OPERATOR, {
      cwd: clone,
      encoding: 'utf8',
    });
    rmSync(file);
    expect(status).toBe(1);
    expect(stderr).toContain('libs/features/network/forgotten.ts declares the command connect, and');
    expect(stderr).toContain('libs/features/network/network.feature.ts does not list it: add it there.');
  },
  BUILD_MS,
);

test.each(['run.mjs', 'build.mjs'])('apps/%s asks for npm ci when a package is not installed', app => {
  const bare = mkdtempSync(join(tmpdir(), 'bare-'));
  try {
    for (const part of ['apps', 'package.json']) cpSync(join(ROOT, part), join(bare, part), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [`apps/${app}`, 'gateway'], { cwd: bare, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^The package \S+ is not installed\. Run: npm ci\n$/),
    });
  } finally {
    rmSync(bare, { recursive: true });
  }
});

test('apps/run.mjs names the version of Node that it needs', () => {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })";
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, 'apps/run.mjs', 'gateway'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'This needs Node 20.19 or newer, and runs on 18.20.4. Install a newer Node.\n',
  });
});
