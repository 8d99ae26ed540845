#!/usr/bin/env node
// The command of the package and of npm scripts in a clone: builds if needed, then runs an app.
import './preflight.mjs';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Loaded after the preflight, which reports missing packages.
const { Command } = await import('commander');
const { default: completion } = await import('@bomb.sh/tab/commander');

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// A reader that closes the pipe early, as head does, is not an error.
process.stdout.on('error', error => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

/** Name, folder, description and first arguments of each command. Only a clone has the benchmark. */
const COMMANDS = [
  ['start', 'apps/gateway', 'starts the service'],
  ['gateway', 'apps/gateway', 'starts the service; with --apart without read models, which a projector then keeps'],
  ['projector', 'apps/projector', 'keeps the read models of separate gateways'],
  ['demo', 'apps/demo', 'runs a paid job from start to end against a running service'],
  ['agent', 'apps/agent', 'acts as an agent of a service: joins, works, hires, pays'],
  ['mcp', 'apps/agent', 'offers the same as MCP tools for a model, on standard input and output', 'mcp'],
  ['operator', 'apps/operator', 'commands for the operator of a service'],
  ['auditor', 'apps/auditor', 'verifies a service without trusting it'],
  ['bench', 'test/bench', ''],
].filter(([name]) => name !== 'bench' || existsSync(join(root, 'test', 'bench')));

/** Prefers the bundled program to the compiled files. */
async function run(folder, rest) {
  if (existsSync(join(root, 'node_modules', 'typescript'))) (await import('./fresh-build.mjs')).freshBuild();
  const bundled = join(root, 'dist', 'programs', `${basename(folder)}.js`);
  const main = existsSync(bundled) ? bundled : join(root, 'dist', folder, 'main.js');
  // Node 22.8 and later can cache compiled code.
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

/** Adds the commands of an app for shell completion. */
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
