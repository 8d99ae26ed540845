import { isNativeError } from 'node:util/types';
import { Command, CommanderError, type Option } from 'commander';
import { capitalise } from '#libs/kernel/capitalise.js';
import { VERSION } from '#libs/kernel/version.js';
import { print, printError, printJson } from './print.js';

const EXIT_FAILED = 1;
const EXIT_MISUSED = 2;

export interface CommandSyntax {
  /** Name and values: `hire <role> <muse_id>`, `rebuild [projection...]`. */
  readonly usage: string;
  readonly meaning: string;
  readonly options?: readonly Option[];
  /** Arguments of a command line that works, without the program's name. */
  readonly example: string;
}

export interface CommandLine {
  readonly command: string;
  readonly values: readonly string[];
  readonly options: { readonly [name: string]: unknown };
}

interface Program {
  /** `npm run operator --` in a clone, `agent-job-network operator` as an installed package. */
  readonly name: string;
  readonly meaning: string;
  readonly version: string;
  readonly commands: readonly CommandSyntax[];
  /** Options of every command. */
  readonly options: readonly Option[];
  /** Last line of the help text. */
  readonly note?: string;
}

/** Values of `npm_lifecycle_event` when the installed package runs as a command or through npx. */
const AS_COMMAND: ReadonlySet<string | undefined> = new Set([undefined, 'npx']);

/**
 * Returns the command line for another app, called in the same way as this one: through npm or as an installed
 * package.
 */
export function commandFor(app: string, rest = ''): string {
  const isCommand = AS_COMMAND.has(process.env['npm_lifecycle_event']);
  if (!isCommand && app === 'start') return 'npm start';
  const command = isCommand ? `agent-job-network ${app}` : `npm run ${app}${rest === '' ? '' : ' --'}`;
  return `${command} ${rest}`.trimEnd();
}

export const createProgram = <P extends object>(app: string, program: P): P & Pick<Program, 'name' | 'version'> => ({
  ...program,
  name: process.env['npm_lifecycle_event'] === app ? `npm run ${app} --` : `agent-job-network ${app}`,
  version: VERSION,
});

/** A wrong command line. The process ends with exit code 2. */
export class UsageError extends Error {}

/**
 * Returns null if the user asked for help or the version, which is printed. Throws a `UsageError` with a suggestion
 * for an unknown command, value or option.
 */
export function parseCommandLine(program: Program, argv: readonly string[]): CommandLine | null {
  let commandLine: CommandLine | null = null;
  const root = commandTree(program);
  for (const command of root.commands)
    command.action((...args: unknown[]) => {
      const values = (args.slice(0, -2) as (string | string[] | undefined)[]).flat();
      commandLine = {
        command: command.name(),
        values: values.filter(value => value !== undefined),
        options: command.opts(),
      };
    });
  const isCommand = (text: string) => program.commands.some(({ usage }) => usage.split(' ')[0] === text);
  const name = isCommand(argv[0] ?? '') ? `${program.name} ${argv[0]}` : program.name;
  parse(root, argv.length === 0 ? ['--help'] : argv, name);
  return commandLine;
}

export function commandTree(program: Program): Command {
  const root = createRoot(program);
  for (const syntax of program.commands) addCommand(root, program, syntax);
  return root;
}

/** Returns null if the user asked for help or the version, which is printed. Throws a `UsageError`. */
export function parseOptions<T extends object>(program: Omit<Program, 'commands'>, argv: readonly string[]): T | null {
  let options: T | null = null;
  const command = createRoot({ ...program, usage: '[options]' }).action((values: T) => void (options = values));
  for (const option of program.options) command.addOption(option);
  parse(command, argv, program.name);
  return options;
}

/** commander throws for help and version too, with exit code 0. */
function parse(command: Command, argv: readonly string[], name: string): void {
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageError(name, error);
  }
}

const SILENT = {
  writeOut: (text: string) => print(text.trimEnd()),
  writeErr: () => undefined,
  outputError: () => undefined,
};

interface RootOptions extends Pick<Program, 'name' | 'meaning' | 'version' | 'note'> {
  readonly usage?: string;
}

function createRoot({ name, meaning, version, note = '', usage = '<command> [options]' }: RootOptions): Command {
  return new Command(name)
    .description(meaning)
    .usage(usage)
    .version(version)
    .configureOutput(SILENT)
    .exitOverride()
    .addHelpText('after', note === '' ? '' : `\n${note}`);
}

function addCommand(root: Command, { name, options }: Program, syntax: CommandSyntax): Command {
  const command = root
    .command(syntax.usage)
    .description(syntax.meaning)
    .addHelpText('after', `\nExample:\n  ${name} ${syntax.example}`);
  for (const option of [...(syntax.options ?? []), ...options]) command.addOption(option);
  return command;
}

function toUsageError(name: string, { message }: CommanderError): UsageError {
  const sentence = message.replace(/^error: /, '').replace(/\n\(?/, ' (');
  return new UsageError(`${capitalise(sentence)}\n${name} --help shows how it is used.`, { cause: message });
}

export interface CommandReport {
  readonly ok: boolean;
  readonly json: object;
  readonly text: string;
}

/** Report of a command that succeeded. */
export const done = (json: object, text: string): CommandReport => ({ ok: true, json: { ok: true, ...json }, text });

const SYSTEM_PROBLEMS: { readonly [code: string]: string } = {
  ENOENT: 'does not exist',
  EACCES: 'may not be accessed by this user',
  EPERM: 'may not be changed by this user',
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  ENOSPC: 'is on a disk that is full',
  EROFS: 'is on a disk that is read-only',
};

/** Returns a sentence for a person. An error of the operating system names the file instead of the system call. */
export function errorSentence(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  const { code: systemCode = '', syscall, path = 'A file or folder' } = error as NodeJS.ErrnoException;
  const problem = syscall === undefined ? undefined : SYSTEM_PROBLEMS[systemCode];
  return problem === undefined ? error.message : `${path} ${problem} (${systemCode}).`;
}

/** Prints the error, as JSON too with `--json`, and sets the exit code: 2 for a wrong command line, else 1. */
export function failCommand(error: unknown): void {
  const sentence = errorSentence(error);
  if (process.argv.includes('--json')) printJson({ ok: false, error: sentence });
  printError(sentence);
  process.exitCode = error instanceof UsageError ? EXIT_MISUSED : EXIT_FAILED;
}
