import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');
const BUILD_MS = 240_000;
let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  for (const part of ['apps', 'libs', 'test', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(ROOT, part), join(clone, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true }));

test(
  'what was built of a source that is there no more is gone with the next build, and all else is built',
  () => {
    const stale = join(clone, 'dist', 'libs', 'features', 'gone', 'gone.feature.js');
    mkdirSync(dirname(stale), { recursive: true });
    writeFileSync(stale, 'export const goneFeature = null;');
    execFileSync(process.execPath, ['apps/run.mjs', 'operator', '--help'], { cwd: clone, stdio: 'pipe' });
    const built = ['apps/operator/main.js', 'libs/pages/home.page.js'].map(file =>
      existsSync(join(clone, 'dist', file)),
    );
    expect([existsSync(stale), ...built]).toEqual([false, true, true]);
  },
  BUILD_MS,
);
