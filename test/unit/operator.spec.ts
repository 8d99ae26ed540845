import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readArguments } from '#apps/operator/arguments.js';
import { carryOutCommand, COMMANDS, help } from '#apps/operator/commands.js';
import { pace, ProgressBars } from '#libs/terminal/progress-bars.js';
import { readSettings } from '#libs/setup/settings.js';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'operator-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...argv: string[]) =>
  carryOutCommand(readArguments(argv), readSettings({ DATA_DIR: folder, HOST: '127.0.0.1', PORT: '1' }));

describe('what is asked for', () => {
  test('is a command with its values, a reason and a form', () => {
    const values = ['greeter', 'agent_worker0000'];
    const asked = { command: 'hire', values, reason: 'the best one', json: true, yes: false, dryRun: false };
    const argv = ['hire', 'greeter', 'agent_worker0000', '--reason', 'the best one', '--json'];
    expect(readArguments(argv)).toEqual(asked);
    expect(readArguments(['--json', '--reason=the best one', ...argv.slice(0, 3)])).toEqual(asked);
  });

  test('is help where nothing else is, or where help is asked for', () => {
    for (const argv of [[], ['help'], ['--help'], ['hire', '--help']])
      expect(readArguments(argv)).toMatchObject({ command: 'help', json: false });
  });

  test.each([
    [['status', '--quick'], /Unknown option '--quick'/],
    [['close', 'greeter', '--reason'], /--reason <value>.*argument missing/],
    [['status', '--json=yes'], /--json.*does not take an argument/],
  ])('is refused where there is no such option: %j', (argv, sentence) => {
    expect(() => readArguments(argv)).toThrow(sentence);
  });
});

describe('help', () => {
  test('shows every command with its values and what it does', () => {
    const lines = help().split('\n');
    expect(lines[0]).toBe('npm run operator -- <command> [--reason <text>] [--json]');
    for (const { usage, meaning } of Object.values(COMMANDS))
      expect(lines.filter(line => line.trim().startsWith(usage) && line.endsWith(meaning))).toHaveLength(1);
  });

  test('says of each command as many values as it takes', () => {
    for (const [name, { usage, values }] of Object.entries(COMMANDS)) {
      expect(usage.split(' ')[0]).toBe(name);
      expect(usage.replace(/\[.*?\]/g, '').match(/<\w+>/g) ?? []).toHaveLength(values);
    }
  });
});

describe('a command line that is not right', () => {
  test.each(['fire', 'toString', 'constructor', '__proto__'])(
    '%s is no command, and the answer shows those',
    async name => {
      await expect(run(name)).rejects.toThrow(`There is no command ${name}.\n\n${help()}`);
    },
  );

  test.each([['hire', 'greeter'], ['accept'], ['close', 'a', 'b'], ['status', 'now'], ['roles']])(
    '%s with %s too few or too many values is told how it is used',
    async (name, ...values) => {
      await expect(run(name, ...values)).rejects.toThrow(`Usage: npm run operator -- ${COMMANDS[name]!.usage}`);
    },
  );
});

describe('the command', () => {
  const ROLE = { slug: 'greeter', title: 'Greet a newcomer', done: 'A post that greets' };

  test('roles checks a file, and changes nothing in a dry run', async () => {
    const file = join(folder, 'roles.json');
    writeFileSync(file, JSON.stringify([{ ...ROLE, summary: 'Say hello to somebody who has just joined.' }]));
    const roles = [{ slug: 'greeter', title: 'Greet a newcomer' }];
    expect((await run('roles', file, '--dry-run')).json).toEqual({ ok: true, roles });
    await expect(run('roles', file)).rejects.toThrow('set DATA_DIR to the folder of the service.');
    await expect(run('roles', `${file}.gone`)).rejects.toThrow(`There is no ${file}.gone.`);
    writeFileSync(file, JSON.stringify([ROLE]));
    await expect(run('roles', file)).rejects.toThrow(`${file}, role 1: summary is needed.`);
  });

  test('status fails where no service answers', async () => {
    await expect(run('status')).rejects.toThrow('No service answers at http://127.0.0.1:1');
  });
});

describe('a long work', () => {
  test('has a rate and a remaining time', () => {
    expect(pace(500, 1_000, 1_000)).toEqual({ rate: 500, left: '1s' });
    expect(pace(100, 40_000, 1_000)).toEqual({ rate: 100, left: '6m 39s' });
    expect(pace(0, 1_000, 0)).toEqual({ rate: 0, left: '?' });
    expect(pace(10, null, 1_000)).toEqual({ rate: 10, left: '?' });
  });

  test.each([
    [true, 4],
    [false, 0],
    [undefined, 0],
  ])('draws its bar on a terminal alone (%s)', (isTTY, least) => {
    const written: string[] = [];
    const stream = Object.assign(new PassThrough(), {
      isTTY,
      columns: 100,
      cursorTo: () => true,
      clearLine: () => true,
    });
    stream.on('data', (chunk: Buffer) => written.push(chunk.toString()));
    const bars = new ProgressBars(stream);
    bars.of('Writing events')(1, 2);
    bars.of('Comparing')(2, null);
    bars.end();
    expect(written.length).toBeGreaterThanOrEqual(least);
    expect(written.join('').includes('Writing events')).toBe(isTTY === true);
  });
});
