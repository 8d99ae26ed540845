import { ApiError, PaymentDeclined } from '#libs/client/index.js';
import { calledAs } from '#libs/terminal/command-line.js';
import { printError, printJson } from '#libs/terminal/print.js';
import type { Asked } from './command.js';

const FAILED = 1;

/** What the options of this command line are called where a program has a cap. */
const OPTIONS = [
  ['spendingCapUsd.perPayment', '--per-payment'],
  ['spendingCapUsd.total', '--total'],
  ['Give the client a wallet to pay from.', `Set AGENT_WALLET_KEY, or ${calledAs('agent', 'wallet --new')} makes one.`],
] as const;

/** Ends with what the service said, or with why nothing was paid. Throws on whatever else went wrong. */
export function refused(error: unknown, { options: { json } }: Asked): void {
  const said = sayingOf(error);
  if (said === null) throw error;
  if (json) printJson(said.json);
  printError(said.text);
  process.exitCode = FAILED;
}

function sayingOf(error: unknown): { readonly json: object; readonly text: string } | null {
  if (error instanceof ApiError)
    return { json: error.body, text: error.hint === null ? error.message : `${error.message}\n${error.hint}` };
  if (!(error instanceof PaymentDeclined)) return null;
  const text = OPTIONS.reduce((sentence, [program, option]) => sentence.replace(program, option), error.message);
  return { json: { ok: false, error: text, code: error.code }, text };
}
