import { ApiError, PaymentDeclined } from '#libs/client/index.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { printError, printJson } from '#libs/terminal/print.js';
import type { AgentArguments } from './command.js';

const FAILED = 1;

/** What the options of this command line are called where a program has a cap. */
const OPTION_NAMES = [
  ['spendingCapUsd.perPayment', '--per-payment'],
  ['spendingCapUsd.total', '--total'],
  [
    'Give the client a wallet to pay from.',
    `Set AGENT_WALLET_KEY, or ${commandFor('agent', 'wallet --new')} makes one.`,
  ],
] as const;

/** Ends with what the service said, or with why nothing was paid. Throws on whatever else went wrong. */
export function reportRefusal(error: unknown, { options: { json } }: AgentArguments): void {
  const said = describeRefusal(error);
  if (said === null) throw error;
  if (json) printJson(said.json);
  printError(said.text);
  process.exitCode = FAILED;
}

function describeRefusal(error: unknown): { readonly json: object; readonly text: string } | null {
  if (error instanceof ApiError)
    return { json: error.body, text: error.hint === null ? error.message : `${error.message}\n${error.hint}` };
  if (!(error instanceof PaymentDeclined)) return null;
  const text = OPTION_NAMES.reduce((sentence, [program, option]) => sentence.replace(program, option), error.message);
  return { json: { ok: false, error: text, code: error.code }, text };
}
