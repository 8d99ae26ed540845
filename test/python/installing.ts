import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../packed/installing.js';
import { send } from '../raw-agent.js';

export const CLIENT = join(ROOT, 'libs', 'client-python');
const REQUIREMENTS = join(ROOT, 'test', 'python', 'requirements.txt');

/** Leaves no files next to the sources. */
const QUIET = { PYTHONDONTWRITEBYTECODE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };

/** Caches the pinned packages of the tests and returns their folder. */
async function packages(): Promise<string> {
  const named = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16);
  const kept = join(ROOT, 'node_modules', '.cache', `python-packages-${named}`);
  if (existsSync(kept)) return kept;
  const part = `${kept}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  await run(ROOT, 'python3', ['-m', 'pip', 'download', '--quiet', '--dest', part, '-r', REQUIREMENTS], QUIET);
  renameSync(part, kept);
  return kept;
}

/** A new Python environment with the client, installed from the address of a service. Other packages come from a cache. */
export class Installed {
  private constructor(private readonly folder: string) {}

  static async into(folder: string, service: string): Promise<Installed> {
    const offline = { ...QUIET, PIP_NO_INDEX: '1', PIP_FIND_LINKS: await packages() };
    const installed = new Installed(folder);
    await run(folder, 'python3', ['-m', 'venv', join(folder, 'venv')]);
    const { body } = await send(service, '/clients');
    const { install } = (body['clients'] as readonly { language: string; install: string }[]).find(
      ({ language }) => language === 'python',
    )!;
    await run(folder, 'bash', ['-c', `venv/bin/${install}`], offline);
    return installed;
  }

  /** Adds the packages of the tests. */
  async addRequirements(): Promise<void> {
    const argv = ['--no-index', '--find-links', await packages(), '-r', REQUIREMENTS];
    await this.python(['-m', 'pip', 'install', '--quiet', ...argv]);
  }

  /** Runs Python in the environment from its own folder. */
  python(argv: readonly string[], more: object = {}) {
    return run(this.folder, join(this.folder, 'venv', 'bin', 'python'), argv, { ...QUIET, ...more });
  }
}
