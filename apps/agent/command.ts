import type { CommandLine, CommandSyntax } from '#libs/terminal/command-line.js';

/** What every command can be told. */
export interface CommonOptions {
  readonly identity?: string;
  /** The origin of a service. */
  readonly service?: string;
  readonly json: boolean;
  /** Decimal USD. */
  readonly perPayment: string;
  /** Decimal USD. */
  readonly total: string;
}

/** What was asked for on the command line. */
export interface AgentArguments extends CommandLine {
  readonly options: CommonOptions & { readonly [name: string]: unknown };
}

/** What a command answers: the service's answer for a program, and what a person reads. */
export interface CommandAnswer {
  readonly json: object;
  readonly text: string;
}

export interface AgentCommand extends CommandSyntax {
  /** Null where it has said everything meanwhile. Throws what the client throws. */
  run(asked: AgentArguments): Promise<CommandAnswer | null>;
}

const COMMON_OPTION_NAMES: ReadonlySet<string> = new Set(['identity', 'service', 'json', 'perPayment', 'total']);

/** The options of a command that are fields of its request, by the names that they have there. */
export const requestFields = <F>({ options }: AgentArguments): F =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !COMMON_OPTION_NAMES.has(name))) as F;
