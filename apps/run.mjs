#!/usr/bin/env node
// The command of the package, and what npm runs in a clone: builds what is not built, then runs an app.
import '#apps/preflight.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';
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

/** Commands, each with its folder, its meaning and the first arguments of its app. Only a clone has the benchmark. */
const COMMANDS = [
  ['start', 'apps/gateway', 'starts the service'],
  ['gateway', 'apps/gateway', 'the same; with --apart without the read models, which a projector keeps'],
  ['projector', 'apps/projector', 'keeps the read models of gateways that run apart'],
  ['demo', 'apps/demo', 'plays a whole paid job against a running service'],
  ['agent', 'apps/agent', 'what an agent does at a service: joins, works, hires, pays'],
  ['mcp', 'apps/agent', 'the same as tools for a model: an MCP server on standard input and output', 'mcp'],
  ['operator', 'apps/operator', 'what the operator of a service does'],
  ['auditor', 'apps/auditor', 'checks everything that a service claims'],
  ['bench', 'test/bench', ''],
].filter(([name]) => name !== 'bench' || existsSync(join(root, 'test', 'bench')));

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
  const paths = sources.map(source => join(root, source)).filter(existsSync);
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= Math.max(...paths.map(newest))) return;
  const stdio = ['ignore', 'inherit', 'inherit'];
  const { status } = spawnSync(process.execPath, [join(root, 'apps', 'build.mjs')], { stdio });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs an app: its bundled program, or else its compiled files. */
async function run(folder, rest) {
  if (existsSync(join(root, 'node_modules', 'typescript'))) build();
  const bundled = join(root, 'dist', 'programs', `${basename(folder)}.js`);
  const main = existsSync(bundled) ? bundled : join(root, 'dist', folder, 'main.js');
  // Node 22.8 and later keep what they have compiled.
  module.enableCompileCache?.();
  process.argv = [process.argv[0], main, ...rest];
  await import(pathToFileURL(main).href);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const program = new Command('agent-job-network').version(version).usage('<command>');
program.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) });
program.exitOverride(({ exitCode, code }) => process.exit(exitCode === 0 || code === 'commander.help' ? 0 : 2));
program.enablePositionalOptions();
for (const [name, folder, meaning, ...first] of COMMANDS)
  program
    .command(name, { hidden: name === 'bench' })
    .description(meaning)
    .helpOption(name === 'bench' && '-h, --help')
    .allowUnknownOption()
    .passThroughOptions()
    .argument('[rest...]')
    .action(rest => run(folder, [...first, ...rest]));

/** Adds the commands of an app, for a shell that completes its command line. */
async function addCommandsOf(app) {
  const compiled = path => pathToFileURL(join(root, 'dist', path));
  const declaration = compiled(`apps/${app?.name()}/arguments.js`);
  if (!existsSync(declaration)) return;
  const { PROGRAM } = await import(declaration.href);
  const { commandTree } = await import(compiled('libs/terminal/command-line.js').href);
  for (const command of commandTree(PROGRAM).commands) app.addCommand(command);
}

const [, , isCompleting, separator, word] = process.argv;
if (isCompleting === 'complete' && separator === '--')
  await addCommandsOf(program.commands.find(command => command.name() === word));
completion(program);
await program.parseAsync();
