import { capitalise } from '#libs/kernel/capitalise.js';
import { Command, CommanderError, type Option } from 'commander';
import { VERSION } from '#libs/kernel/version.js';
import { print } from './print.js';

/** A command as it is written, and what its help says. */
export interface CommandSyntax {
  /** Its name and values: `hire <role> <muse_id>`, `rebuild [projection...]`. */
  readonly usage: string;
  readonly meaning: string;
  readonly options?: readonly Option[];
  /** A command line that works, without the program's name. */
  readonly example: string;
}

/** What was asked for on a command line. */
export interface CommandLine {
  readonly command: string;
  readonly values: readonly string[];
  readonly options: { readonly [name: string]: unknown };
}

/** A program of several commands. */
export interface Program {
  /** As it is called: `npm run operator --`, or as a package that was installed is. */
  readonly name: string;
  readonly meaning: string;
  readonly version: string;
  readonly commands: readonly CommandSyntax[];
  /** Those of every command. */
  readonly options: readonly Option[];
  /** What its help ends with. */
  readonly note?: string;
}

/** Not called by a script of a clone: as a command, or as one by npx. */
const AS_COMMAND: ReadonlySet<string | undefined> = new Set([undefined, 'npx']);

/** How the user of this command calls another app, with what follows its name: by npm in a clone, else as a command. */
export function commandFor(app: string, rest = ''): string {
  const isCommand = AS_COMMAND.has(process.env['npm_lifecycle_event']);
  if (!isCommand && app === 'start') return 'npm start';
  const called = isCommand ? `agent-job-network ${app}` : `npm run ${app}${rest === '' ? '' : ' --'}`;
  return `${called} ${rest}`.trimEnd();
}

/** The program of one app, called as its user called it: by npm in a clone, else as the package that was installed. */
export const createProgram = <P extends object>(app: string, said: P): P & Pick<Program, 'name' | 'version'> => ({
  ...said,
  name: process.env['npm_lifecycle_event'] === app ? `npm run ${app} --` : `agent-job-network ${app}`,
  version: VERSION,
});

/** A command line that is not right: the sentence says how it is, and the exit code is 2. */
export class UsageError extends Error {}

/**
 * What a command line asks for; null where it asked for help or the version, which is printed. Throws a `Misuse` for a
 * command, a value or an option that there is none of, with the one that may have been meant.
 */
export function parseCommandLine(program: Program, argv: readonly string[]): CommandLine | null {
  let found: CommandLine | null = null;
  const root = commandTree(program);
  for (const command of root.commands)
    command.action((...given: unknown[]) => {
      const values = (given.slice(0, -2) as (string | string[] | undefined)[]).flat();
      found = { command: command.name(), values: values.filter(value => value !== undefined), options: command.opts() };
    });
  const isOf = (text: string) => program.commands.some(({ usage }) => usage.split(' ')[0] === text);
  parse(root, argv.length === 0 ? ['--help'] : argv, isOf(argv[0] ?? '') ? `${program.name} ${argv[0]}` : program.name);
  return found;
}

/** A program with all of its commands, none of which does anything yet. */
export function commandTree(program: Program): Command {
  const root = createRoot(program);
  for (const syntax of program.commands) addCommand(root, program, syntax);
  return root;
}

/** The options of a program that does one thing; null where it was asked for help or the version. Throws a `Misuse`. */
export function parseOptions<T extends object>(program: Omit<Program, 'commands'>, argv: readonly string[]): T | null {
  let found: T | null = null;
  const command = createRoot({ ...program, usage: '[options]' }).action((options: T) => void (found = options));
  for (const option of program.options) command.addOption(option);
  parse(command, argv, program.name);
  return found;
}

/** Help and the version are no failures: they have been shown. */
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
  const said = capitalise(sentence);
  return new UsageError(`${said}\n${name} --help shows how it is used.`, { cause: message });
}
