import type { Chain } from './chain.port.js';

/** Reserve for sending pending payments again. */
export const TRANSACTIONS_MIN = 10;

export const isEnoughGas = (transactionsLeft: number) => transactionsLeft >= TRANSACTIONS_MIN;

export const hasEnoughGas = async (chain: Chain) => isEnoughGas(await chain.transactionsLeft());
