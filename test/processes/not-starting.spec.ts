import { createServer } from 'node:net';
import { join } from 'node:path';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { newFolder, settingsIn } from '../world.js';
import { outcomeOf, startApp } from './shell.js';
import { listen } from '../listen.js';

const HINT = 'agent-job-network operator doctor checks settings, stores and chains, and says what to do.';
const folder = newFolder();

async function start(settings: { readonly [name: string]: string }, ...argv: string[]) {
  // Removes the variables of npm, since a service started by npm names its commands.
  const npm = Object.keys(process.env).filter(name => name.startsWith('npm_'));
  const unset = Object.fromEntries(npm.map(name => [name, undefined]));
  const env = { ...unset, LOG_LEVEL: 'warn', ...settingsIn(folder), ...settings };
  const { code, err } = await outcomeOf(startApp('gateway', argv, folder, env));
  return { code, lines: err.trimEnd().split('\n') };
}

test('names a free port if the port is in use, before it creates a store', async () => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  const { code, lines } = await start({ PORT: port, DATA_DIR: join(folder, 'taken') });
  server.close();
  const sentence = `Port ${port} is in use. Start on another port: PORT=${Number(port) + 1} agent-job-network start`;
  expect({ code, lines }).toEqual({ code: 1, lines: [sentence, HINT] });
  expect(existsSync(join(folder, 'taken', 'events.db'))).toBe(false);
}, 60_000);

test('prints a line per invalid setting and exits if a folder cannot be created', async () => {
  const wrong = await start({ CHAIN: 'moon', TRUST_PROXY: 'yes' });
  expect(wrong).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(/^CHAIN: /), expect.stringMatching(/^TRUST_PROXY: /), HINT],
  });
  expect(await start({ DATA_DIR: '/proc/nope' })).toEqual({
    code: 1,
    lines: ['DATA_DIR: /proc/nope cannot be created (ENOENT).', HINT],
  });
}, 60_000);

test('names an unused setting and a store that does not respond', async () => {
  const settings = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: 'kdb://user:secret@127.0.0.1:1?tls=false' };
  const { code, lines } = await start({ ...settings, MONGODB_URL: 'mongodb://user:secret@b.example/name' });
  expect(code).toBe(1);
  expect(lines[0]).toContain(HINT);
  expect(lines[1]).toContain('MONGODB_URL is set but only used with DOCUMENTS=mongodb or VAULT=mongodb.');
  expect(lines.slice(-2)).toEqual(['The event log cannot be reached. EVENTSTORE_URL names 127.0.0.1:1.', HINT]);
  expect(lines.join('\n')).not.toContain('secret');
}, 60_000);

test.each(['events', 'vault', 'documents', 'coordination'])(
  'says that %s.db is not a SQLite database and what to do',
  async store => {
    const dataDir = join(folder, `foreign-${store}`);
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, `${store}.db`), 'a file of another format');
    const { code, lines } = await start({ DATA_DIR: dataDir });
    const remedy = ['events', 'vault'].includes(store) ? 'Restore a backup into an empty DATA_DIR' : 'Delete ';
    expect(lines).toEqual([expect.stringContaining(`is not a SQLite database. ${remedy}`), HINT]);
    expect(lines[0]).toContain(join(dataDir, `${store}.db`));
    expect(code).toBe(1);
  },
  60_000,
);

test.each(['events', 'vault', 'documents', 'coordination'])(
  'says that the tables of %s.db have another format and what to do',
  async store => {
    const dataDir = join(folder, `tables-${store}`);
    mkdirSync(dataDir);
    const file = Sqlite.open(join(dataDir, `${store}.db`), { component: 'The test', synchronous: 'FULL' });
    for (const table of ['events', 'keys', 'entries', 'live', 'checkpoints', 'leases'])
      file.exec(`CREATE TABLE ${table} (other TEXT)`);
    file.close();
    const { code, lines } = await start({ DATA_DIR: dataDir });
    const remedy = ['events', 'vault'].includes(store) ? 'Another program or version wrote ' : 'Delete ';
    expect(lines).toEqual([expect.stringContaining(`has tables of another format. ${remedy}`), HINT]);
    expect(lines[0]).toContain(join(dataDir, `${store}.db`));
    expect(code).toBe(1);
  },
  60_000,
);

test('refuses a line of .env without a name and warns about an unknown setting', async () => {
  const file = join(folder, '.env');
  try {
    writeFileSync(file, '# comment\nLOG_LEVEL=warn\nPORT 3000\n');
    expect(await start({})).toEqual({ code: 1, lines: ['.env: line 3 must be NAME=value or begin with #.', HINT] });
    writeFileSync(file, 'PROT=3000\nCHIAN=rpc\nAGENT_TOKEN="two\nlines"\n');
    const { lines } = await start({ DATA_DIR: '/proc/nope' });
    expect(lines.map(line => line.replace(/^.*"msg":/, '')).toSorted()).toEqual([
      expect.stringContaining('.env: CHIAN is not a setting; did you mean CHAIN?'),
      expect.stringContaining('.env: PROT is not a setting; did you mean PORT?'),
      expect.stringContaining(HINT),
      'DATA_DIR: /proc/nope cannot be created (ENOENT).',
      HINT,
    ]);
    rmSync(file);
    mkdirSync(file);
    expect(await start({})).toEqual({
      code: 1,
      lines: ['.env: it is a folder. Replace it with a file of NAME=value lines.', HINT],
    });
  } finally {
    rmSync(file, { recursive: true });
  }
}, 60_000);

test('names an unreadable key of the house before it creates anything', async () => {
  const { code, lines } = await start({ HOUSE_WALLET_KEY_FILE: '/nope', DATA_DIR: join(folder, 'never') });
  expect({ code, lines }).toEqual({ code: 1, lines: ['HOUSE_WALLET_KEY_FILE: cannot be read (ENOENT).', HINT] });
  expect(existsSync(join(folder, 'never', 'events.db'))).toBe(false);
}, 60_000);

test('prints help without starting, suggests options and accepts --port', async () => {
  expect(await start({}, '--help')).toEqual({ code: 0, lines: [''] });
  const wrong = await start({}, '--prot', '3000');
  expect(wrong).toMatchObject({
    code: 2,
    lines: [expect.stringContaining("Unknown option '--prot' (Did you mean --port?)"), expect.anything()],
  });
  const bad = await start({}, '--port', 'x');
  expect(bad).toEqual({ code: 1, lines: ['PORT: "x" must be a port from 0 to 65535.', HINT] });
}, 60_000);
