import { ApiError, PaymentDeclined } from '#libs/client/index.js';
import { commandFor, failCommand } from '#libs/terminal/command-line.js';
import { print, printError, printJson } from '#libs/terminal/print.js';
import { readArguments } from './arguments.js';
import type { AgentArguments } from './command.js';
import { COMMANDS } from './commands.js';

const EXIT_FAILED = 1;

/** Replaces the client's option names by those of the command line. */
const OPTION_NAMES = [
  ['spendingCapUsd.perPayment', '--per-payment'],
  ['spendingCapUsd.total', '--total'],
  [
    'Give the client a wallet.',
    `Set AGENT_WALLET_KEY, or create a wallet with ${commandFor('agent', 'wallet --new')}.`,
  ],
] as const;

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2));
  if (args === null) return;
  try {
    const answer = await COMMANDS[args.command]!.run(args);
    if (answer === null) return;
    if (args.options.json) printJson(answer.json);
    else print(answer.text);
  } catch (error) {
    reportRefusal(error, args);
  }
}

/** Prints refusals of the service and declined payments. Rethrows all other errors. */
function reportRefusal(error: unknown, { options: { json } }: AgentArguments): void {
  const refusal = describeRefusal(error);
  if (refusal === null) throw error;
  if (json) printJson(refusal.json);
  printError(refusal.text);
  process.exitCode = EXIT_FAILED;
}

function describeRefusal(error: unknown): { readonly json: object; readonly text: string } | null {
  if (error instanceof ApiError)
    return { json: error.body, text: error.hint === null ? error.message : `${error.message}\n${error.hint}` };
  if (!(error instanceof PaymentDeclined)) return null;
  const text = OPTION_NAMES.reduce((sentence, [program, option]) => sentence.replace(program, option), error.message);
  return { json: { ok: false, error: text, code: error.code }, text };
}

main().catch(failCommand);
