import type { Payment } from '#libs/client/index.js';
import { Misuse } from './command-line.js';

const HIRE = /^[0-9]+$/;

/** A hire as a command line names it: its integer. Throws `Misuse`. */
export function hireNamed(text: string): number {
  if (!HIRE.test(text)) throw new Misuse('A hire is named by its whole number.');
  return Number(text);
}

interface Paying {
  readonly payment?: Payment | null;
}

/** Where a payment stands, behind a sentence; nothing where nothing was paid. */
export const paidWith = ({ payment }: Paying): string =>
  payment ? ` Paid with ${payment.tx} on ${payment.network}.` : '';

export const hiredText = (museId: string, { hire }: { readonly hire: number }): string =>
  `Hired ${museId}: hire ${hire}.`;

export const ACCEPTED = 'Accepted.';

export const wageText = (answer: Paying): string =>
  answer.payment ? `The wage is paid.${paidWith(answer)}` : 'The wage was paid before.';
