import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUILD = "await (await import('./apps/build.mjs')).buildChanged();";

let made: string | undefined;

/** The folder of the programs that users start, built where a source has changed. */
export function builtPrograms(): string {
  if (made === undefined)
    execFileSync(process.execPath, ['--input-type=module', '--eval', BUILD], { cwd: ROOT, stdio: 'inherit' });
  return (made ??= join(ROOT, 'dist', 'programs'));
}
