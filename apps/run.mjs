#!/usr/bin/env node
// The command of the package, and what npm runs in a clone: builds what is not built, then runs an app.
import './preflight.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Loaded after the preflight, which says what is missing.
const { Command } = await import('commander');
const { default: completion } = await import('@bomb.sh/tab/commander');

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// Who reads no further, as head, is no failure.
process.stdout.on('error', error => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

/** What can be run: in a clone by npm, elsewhere as a command of the package. */
const APPS = [
  ['start', 'gateway', 'starts the service'],
  ['gateway', 'gateway', 'the same; with --apart without the read models, which a projector keeps'],
  ['projector', 'projector', 'keeps the read models of gateways that run apart'],
  ['demo', 'demo', 'plays a whole paid job against a running service'],
  ['agent', 'agent', 'what an agent does at a service: joins, works, hires, pays'],
  ['mcp', 'agent', 'the same as tools for a model: an MCP server on standard input and output', 'mcp'],
  ['operator', 'operator', 'what the operator of a service does'],
  ['auditor', 'auditor', 'checks everything that a service claims'],
];

/** The newest change of a file, or below a folder, ms; of the folder itself where a file was removed. */
function newest(path) {
  const status = statSync(path);
  const names = status.isDirectory() ? readdirSync(path) : [];
  return Math.max(status.mtimeMs, ...names.map(name => newest(join(path, name))));
}

/** Builds where a source, or a package, is newer than what was built. */
function build() {
  const stamp = join(root, 'dist', '.built');
  const sources = ['apps', 'libs', 'test/bench', 'tsconfig.json', 'package.json', 'node_modules/.package-lock.json'];
  const changed = Math.max(
    ...sources
      .map(source => join(root, source))
      .filter(existsSync)
      .map(newest),
  );
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= changed) return;
  const { status } = spawnSync(process.execPath, [join(root, 'apps', 'build.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs an app with what follows its name: its program of a few files where there is one. */
async function run(folder, app, rest) {
  if (existsSync(join(root, 'node_modules', 'typescript'))) build();
  const program = join(root, 'dist', 'programs', `${app}.js`);
  const main = existsSync(program) ? program : join(root, 'dist', folder, app, 'main.js');
  // Node 22.8 and later keep what they have compiled.
  module.enableCompileCache?.();
  process.argv = [process.argv[0], main, ...rest];
  await import(pathToFileURL(main).href);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const program = new Command('agent-job-network').version(version).usage('<command>');
program.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) });
program.exitOverride(({ exitCode, code }) => process.exit(exitCode === 0 || code === 'commander.help' ? 0 : 2));
for (const [name, app, meaning, ...first] of APPS)
  program
    .command(name)
    .description(meaning)
    .helpOption(false)
    .allowUnknownOption()
    .argument('[rest...]')
    .action(rest => run('apps', app, [...first, ...rest]));
if (existsSync(join(root, 'test', 'bench')))
  program
    .command('bench', { hidden: true })
    .argument('[rest...]')
    .action(rest => run('test', 'bench', rest));
program.enablePositionalOptions();
for (const command of program.commands) command.passThroughOptions();

/** Apps of several commands, each of which says in a module of its own which these are. */
const OF_COMMANDS = ['operator', 'auditor', 'agent'];

/** A shell that completes a command line asks with what stands there: the commands of the app that it names are looked up. */
async function describe(name) {
  const said = join(root, 'dist', 'apps', name, 'arguments.js');
  if (!OF_COMMANDS.includes(name) || !existsSync(said)) return;
  const { PROGRAM } = await import(pathToFileURL(said).href);
  const { commandTree } = await import(pathToFileURL(join(root, 'dist', 'libs', 'terminal', 'command-line.js')).href);
  const app = program.commands.find(command => command.name() === name);
  for (const command of commandTree(PROGRAM).commands) app.addCommand(command);
}

if (process.argv[2] === 'complete' && process.argv[3] === '--') await describe(process.argv[4]);
completion(program);
await program.parseAsync();
