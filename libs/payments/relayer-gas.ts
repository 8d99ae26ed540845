import type { Chain } from './chain.port.js';

/** With less than this many transactions left nothing new is taken: what is under way may have to be sent again. */
export const TRANSACTIONS_MIN = 10;

export const isEnoughGas = (transactionsLeft: number) => transactionsLeft >= TRANSACTIONS_MIN;

/** Whether the relayer can pay for what a new payment may take. Throws `Unavailable` where the chain cannot be asked. */
export const hasEnoughGas = async (chain: Chain) => isEnoughGas(await chain.transactionsLeft());
