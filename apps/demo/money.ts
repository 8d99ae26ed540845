import { calculateFee } from '#libs/kernel/money.js';

/** Amounts in millionths of a dollar: faucet, wage, and the fee of the job. */
export const FUNDS = 1_000_000_000n;
export const WAGE = 10_000_000n;
export const FEE = calculateFee(WAGE, 1);
