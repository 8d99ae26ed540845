import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readArguments } from '#apps/agent/arguments.js';
import { COMMANDS } from '#apps/agent/commands.js';
import { IdentityFile } from '#apps/agent/identity-file.js';
import { requireIdentity } from '#apps/agent/session.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { makeFolder } from '../../temporary-folder.js';

const OWN = 'http://127.0.0.1:1';
const OTHER = 'http://127.0.0.1:2';
const WALLET_KEY = `0x${'1'.repeat(64)}`;
let folder: string;
let file: string;
beforeEach(() => {
  folder = makeFolder();
  file = join(folder, 'identity.json');
  new IdentityFile(file).create({ service: OWN, muse_id: 'agent_1a2b3c4d5e', token: 't', wallet_key: WALLET_KEY });
});
afterEach(() => {
  delete process.env['AGENT_SERVICE'];
});

const asking = (...argv: string[]) => readArguments([...argv, '--identity', file])!;
const REFUSED = `holds agent_1a2b3c4d5e of ${OWN}, which cannot act at ${OTHER}: choose another file with --identity.`;

test.each([
  ['whoami'],
  ['wallet'],
  ['faucet'],
  ['inbox'],
  ['mcp'],
  ['key'],
  ['watch'],
  ['pay', '1'],
  ['call', 'boards'],
])('a command refuses an identity of another service: %j', async (...argv) => {
  const run = (...more: string[]) => COMMANDS[argv[0]]!.run(asking(...argv, ...more));
  await expect(run('--service', OTHER)).rejects.toThrow(REFUSED);
  process.env['AGENT_SERVICE'] = OTHER;
  await expect(run()).rejects.toThrow(REFUSED);
});

test('an identity acts at its own service, whether that is named or not', () => {
  for (const named of [[], ['--service', OWN], ['--service', `${OWN}/api/`]])
    expect(requireIdentity(asking('whoami', ...named))).toMatchObject({ service: OWN, muse_id: 'agent_1a2b3c4d5e' });
});

test('every command rejects a service that is not a URL', () => {
  process.env['AGENT_SERVICE'] = 'jobs.example';
  for (const argv of [['whoami'], ['jobs'], ['wallet']]) expect(() => asking(...argv)).toThrow(UsageError);
});
