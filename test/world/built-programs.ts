import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let made: string | undefined;

export function builtPrograms(): string {
  if (made === undefined) execFileSync(process.execPath, ['apps/fresh-build.mjs'], { cwd: ROOT, stdio: 'ignore' });
  return (made ??= join(ROOT, 'dist', 'programs'));
}
