import { readFileSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand, COMMANDS } from '#apps/operator/commands.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { progressRate, ProgressBars } from '#libs/terminal/progress-bars.js';
import { readSettings } from '#libs/setup/settings.js';
import { LocalServer } from '../local-server.js';
import { makeFolder } from '../temporary-folder.js';

const folder = makeFolder();

const runAt = (port: number, ...argv: string[]) =>
  runCommand(readArguments(argv)!, readSettings({ DATA_DIR: folder, HOST: '127.0.0.1', PORT: String(port) }));
const run = (...argv: string[]) => runAt(1, ...argv);

describe('the arguments of the operator program', () => {
  test('are read as a command with values, a reason and options', () => {
    const values = ['greeter', 'agent_worker0000'];
    const no = { yes: false, dryRun: false, startOver: false };
    const parsed = { command: 'hire', values, reason: 'the best one', json: true, ...no };
    const argv = ['hire', 'greeter', 'agent_worker0000', '--reason', 'the best one', '--json'];
    expect(readArguments(argv)).toEqual(parsed);
    expect(readArguments(['hire', '--json', '--reason=the best one', ...argv.slice(1, 3)])).toEqual(parsed);
    expect(readArguments(['rebuild', 'muses', 'items', '--dry-run'])).toMatchObject({
      values: ['muses', 'items'],
      dryRun: true,
      startOver: false,
    });
    expect(readArguments(['rebuild', '--start-over'])).toMatchObject({ values: [], dryRun: false, startOver: true });
  });

  test.each([
    [['status', '--jsn'], "Unknown option '--jsn' (Did you mean --json?)"],
    [['reset', '--yess'], "Unknown option '--yess' (Did you mean --yes?)"],
    [['stauts'], "Unknown command 'stauts' (Did you mean status?)"],
    [['toString'], "Unknown command 'toString'"],
    [['__proto__'], "Unknown command '__proto__'"],
    [['close', 'greeter', '--reason'], "Option '--reason <text>' argument missing"],
    [['hire', 'greeter'], "Missing required argument 'muse_id'"],
    [['close', 'a', 'b'], "Too many arguments for 'close'. Expected 1 argument but got 2."],
    [['status', '--yes'], "Unknown option '--yes'"],
  ])('are refused with a suggestion when they are wrong: %j', (argv, sentence) => {
    expect(() => readArguments(argv)).toThrow(UsageError);
    expect(() => readArguments(argv)).toThrow(sentence);
    expect(() => readArguments(argv)).toThrow('--help shows how it is used.');
  });
});

describe('the help text', () => {
  let shown = '';
  let write: jest.SpiedFunction<typeof process.stdout.write>;
  beforeEach(() => {
    shown = '';
    write = jest.spyOn(process.stdout, 'write').mockImplementation(text => {
      shown += String(text);
      return true;
    });
  });
  afterEach(() => write.mockRestore());

  test.each([[[]], [['--help']], [['help']]])('lists every command with its meaning for %j', argv => {
    expect(readArguments(argv)).toBeNull();
    const flat = shown.replace(/\s+/g, ' ');
    for (const { usage, meaning } of Object.values(COMMANDS)) {
      expect(flat).toContain(`${usage.split(' ')[0]} `);
      expect(flat).toContain(meaning.replace(/\s+/g, ' '));
    }
  });

  test('shows the options and a valid example of each command', () => {
    for (const [name, { usage, example }] of Object.entries(COMMANDS)) {
      shown = '';
      expect(usage.split(' ')[0]).toBe(name);
      expect(readArguments([name, '--help'])).toBeNull();
      expect(shown).toContain(`Example:\n  agent-job-network operator ${example}`);
      expect(shown).toContain('--json');
      const argv = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
      expect(readArguments(argv)).toMatchObject({ command: name });
    }
  });

  test('has the version of the package', () => {
    expect(readArguments(['--version'])).toBeNull();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(shown.trim()).toBe(version);
  });
});

describe('an operator command', () => {
  const ROLE = { slug: 'greeter', title: 'Greet a newcomer', done: 'A post that greets' };

  test('roles checks a file and changes nothing in a dry run', async () => {
    const file = join(folder, 'roles.json');
    writeFileSync(file, JSON.stringify([{ ...ROLE, summary: 'Say hello to somebody who has just joined.' }]));
    const roles = [{ slug: 'greeter', title: 'Greet a newcomer' }];
    expect((await run('roles', file, '--dry-run')).json).toEqual({ ok: true, roles });
    await expect(run('roles', file)).rejects.toThrow('set DATA_DIR to the folder of the service.');
    await expect(run('roles', `${file}.gone`)).rejects.toThrow(`${file}.gone does not exist.`);
    writeFileSync(file, JSON.stringify([ROLE]));
    await expect(run('roles', file)).rejects.toThrow(`${file}, job 1: \`summary\` is needed.`);
  });

  test('status fails when no service is running', async () => {
    await expect(run('status')).rejects.toThrow('No service answers at http://127.0.0.1:1');
  });

  test('status reports that the address belongs to another program', async () => {
    const other = new LocalServer((_request, response) => response.end('{"ok":false,"error":"There is /metrics."}'));
    await other.listen();
    const { port } = new URL(other.url);
    await expect(runAt(Number(port), 'status')).rejects.toThrow(`Another program answers at ${other.url}`);
    await other.stop();
  });

  test('status says that the lag of the read models is unknown if one is not counted', async () => {
    const health = {
      ok: true,
      status: 'degraded',
      event_log: { reachable: true },
      documents: { reachable: true },
      projections: [1, null].map(lag => ({ name: 'muses', position: '1', lag, state: 'running' })),
      payments: { rails: [] },
    };
    const service = new LocalServer((_request, response) => response.end(JSON.stringify(health)));
    await service.listen();
    const { text } = await runAt(Number(new URL(service.url).port), 'status');
    await service.stop();
    expect(text).toContain(' is degraded; its read models are an unknown number of events behind.\n');
    expect(text).toMatch(/read model +muses +running +not counted/);
  });
});

describe('the progress of a long operation', () => {
  test('has a rate and a remaining time', () => {
    expect(progressRate(500, 1_000, 1_000)).toEqual({ rate: 500, left: '1s' });
    expect(progressRate(100, 40_000, 1_000)).toEqual({ rate: 100, left: '6m 39s' });
    expect(progressRate(0, 1_000, 0)).toEqual({ rate: 0, left: '?' });
    expect(progressRate(10, null, 1_000)).toEqual({ rate: 10, left: '?' });
  });

  test.each([
    [true, 4],
    [false, 0],
    [undefined, 0],
  ])('draws its bar only on a terminal (%s)', (isTTY, least) => {
    const written: string[] = [];
    const stream = Object.assign(new PassThrough(), {
      isTTY,
      columns: 100,
      cursorTo: () => true,
      clearLine: () => true,
    });
    stream.on('data', (chunk: Buffer) => written.push(chunk.toString()));
    const bars = new ProgressBars(stream);
    bars.partBar('Writing events')(1, 2);
    bars.partBar('Comparing')(2, null);
    bars.end();
    expect(written.length).toBeGreaterThanOrEqual(least);
    expect(written.join('').includes('Writing events')).toBe(isTTY === true);
  });
});
