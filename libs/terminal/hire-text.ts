import type { Payment } from '#libs/client/index.js';
import { UsageError } from './command-line.js';

const HIRE = /^[0-9]+$/;

/** Throws a `UsageError` if the text is not a whole number. */
export function parseHire(text: string): number {
  if (!HIRE.test(text)) throw new UsageError('A hire must be a whole number.');
  return Number(text);
}

interface PaidAnswer {
  readonly payment?: Payment | null;
}

/** Returns an empty text if nothing was paid. */
export const paymentText = ({ payment }: PaidAnswer): string =>
  payment ? ` Paid with ${payment.tx} on ${payment.network}.` : '';

interface HireAnswer {
  readonly hire: number;
  readonly position: { readonly wage: { readonly usd: string; readonly token: string } | null };
}

export const hiredText = (museId: string, { hire, position: { wage } }: HireAnswer): string =>
  `Hired ${museId}${wage ? ` for ${wage.usd} ${wage.token}` : ''}: hire ${hire}.`;

interface EscrowedAnswer {
  readonly position: { readonly escrow: { readonly tx: string | null } | null };
}

/** Returns an empty text without an escrow. */
export const escrowText = ({ position: { escrow } }: EscrowedAnswer): string =>
  escrow ? ` An escrow holds the wage${escrow.tx === null ? '' : `, by ${escrow.tx}`}.` : '';

export const ACCEPTED = 'Accepted.';

export const wageText = (answer: PaidAnswer): string =>
  answer.payment ? `The wage is paid.${paymentText(answer)}` : 'The wage was paid before.';
