import type { CommandLine, CommandSyntax } from '#libs/terminal/command-line.js';
import { COMMON_OPTIONS } from './options.js';

export interface CommonOptions {
  readonly identity?: string;
  /** Origin of a service. */
  readonly service?: string;
  readonly json: boolean;
  /** Decimal USD. */
  readonly perPayment: string;
  /** Decimal USD. */
  readonly total: string;
}

export interface AgentArguments extends CommandLine {
  readonly options: CommonOptions & { readonly [name: string]: unknown };
}

/** `json` is the service's answer, `text` is for a person. */
export interface CommandAnswer {
  readonly json: object;
  readonly text: string;
}

export interface AgentCommand extends CommandSyntax {
  /** Returns null if the command has printed its own output. Throws the client's errors. */
  run(args: AgentArguments): Promise<CommandAnswer | null>;
}

const COMMON_OPTION_NAMES: ReadonlySet<string> = new Set(COMMON_OPTIONS.map(option => option.attributeName()));

/** Options that are fields of the request. */
export const requestFields = <F>({ options }: AgentArguments): F =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !COMMON_OPTION_NAMES.has(name))) as F;
