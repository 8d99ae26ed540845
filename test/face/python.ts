import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '#libs/kernel/ids.js';
import { ROOT, run } from '../packed/installing.js';

const QUIET = { PYTHONDONTWRITEBYTECODE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };

/** Returns a cached Python environment with exactly these packages. */
export async function pythonWith(...packages: string[]): Promise<string> {
  const kept = join(ROOT, 'node_modules', '.cache', `python-${sha256Hex(packages.join()).slice(0, 16)}`);
  if (!existsSync(kept)) {
    const part = `${kept}.${process.pid}`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(join(kept, '..'), { recursive: true });
    await run(ROOT, 'python3', ['-m', 'venv', part]);
    await run(ROOT, join(part, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages], QUIET);
    renameSync(part, kept);
  }
  return join(kept, 'bin', 'python');
}

/** Runs a program and returns its output. */
export async function python(executable: string, program: string, ...argv: string[]): Promise<string> {
  return (await run(ROOT, executable, ['-c', program, ...argv], QUIET)).stdout;
}
