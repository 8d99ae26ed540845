import type { Payment } from '#libs/client/index.js';
import { UsageError } from './command-line.js';

const HIRE = /^[0-9]+$/;

/** A hire as a command line names it: its integer. Throws `Misuse`. */
export function parseHire(text: string): number {
  if (!HIRE.test(text)) throw new UsageError('A hire is named by its whole number.');
  return Number(text);
}

interface PaidAnswer {
  readonly payment?: Payment | null;
}

/** Where a payment stands, behind a sentence; nothing where nothing was paid. */
export const paymentText = ({ payment }: PaidAnswer): string =>
  payment ? ` Paid with ${payment.tx} on ${payment.network}.` : '';

export const hiredText = (museId: string, { hire }: { readonly hire: number }): string =>
  `Hired ${museId}: hire ${hire}.`;

export const ACCEPTED = 'Accepted.';

export const wageText = (answer: PaidAnswer): string =>
  answer.payment ? `The wage is paid.${paymentText(answer)}` : 'The wage was paid before.';
