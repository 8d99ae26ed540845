import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LONG_MS, ROOT } from '../packed/installing.js';
import { describeOnNewerNode, folder, runModule, world } from './newer-node.js';

describeOnNewerNode('the conformance suite', '@modelcontextprotocol/conformance@0.2.0-alpha.12', () => {
  /** Unlisted failures and listed passes both fail the run. */
  test.each(['2026-07-28', '2025-11-25'])(
    'version %s fails only in listed cases that cannot apply',
    async version => {
      const expected = join(ROOT, 'test', 'face', `mcp-conformance.${version}.yml`);
      const url = `${world.url.replace('127.0.0.1', 'localhost')}/mcp`;
      const argv = ['server', '--url', url, '--requirements', version, '--expected-failures', expected];
      const { stdout } = await runModule(folder, '.bin/conformance', argv);
      expect(stdout).toContain('all failures are expected');
    },
    LONG_MS,
  );
});
