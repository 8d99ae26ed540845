import { ApiError, ConnectionLost } from '#libs/client/errors.js';
import type { PendingOperation } from '#libs/client/exchange.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { createElement, isPlayMoney } from '#libs/channels/pages/scripts/dom.js';
import { askChoice, showStatus } from './panel.js';
import { openText } from './stored-purchases.js';

const PAYMENT_REQUIRED = 402;
const NO_MONEY = 'insufficient_balance';

/** A refused payment: the service has neither executed the request nor kept the payment. */
const isUnpaid = (error: Error): error is ApiError => error instanceof ApiError && error.status === PAYMENT_REQUIRED;

/** Whether repeating it can help: it may have been executed, or its signed payment can still be used. */
export const isRepeatable = (error: Error, { payment }: PendingOperation): boolean =>
  payment !== null || error instanceof ConnectionLost || (error instanceof ApiError && error.resume !== undefined);

/** Prefers the service's own sentences. */
export const errorText = (error: Error): string =>
  error instanceof ApiError ? [error.error, error.hint].filter(Boolean).join(' ') : error.message;

/** Sentence about a request that the reader has cancelled. */
export const cancelledText = (error: Error, begun: PendingOperation): string =>
  isUnpaid(error) ? 'Nothing was executed.' : openText(begun);

/** Says how a request failed, and returns whether the reader wants to repeat it. */
export async function shouldRepeat(error: Error): Promise<boolean> {
  if (!isUnpaid(error)) {
    showStatus(`${errorText(error)} It is unknown whether the request was executed.`);
    return askChoice('Try again', 'Cancel');
  }
  if (error.code !== NO_MONEY) showStatus(`${error.error} Nothing was executed.`);
  else if (isPlayMoney()) return shouldFill(error);
  else showStatus(`${error.error} Send it to this wallet, then try again.`);
  return askChoice('Try again', 'Cancel');
}

async function shouldFill({ error }: ApiError): Promise<boolean> {
  const { PlayMoneyWallet } = await import('#libs/channels/pages/scripts/play-money/wallet.js');
  const link = createElement('a', 'faucet', { href: PAGE_PATHS.operation('faucet') });
  showStatus(`${error} The `, link, ' of this service gives play money.');
  while (await askChoice('Fill the wallet and try again', 'Cancel')) {
    const wallet = await PlayMoneyWallet.loadOrCreate();
    const fault = await wallet.fill().catch((error: unknown) => error as Error);
    if (!(fault instanceof Error)) return true;
    showStatus(fault.message);
  }
  return false;
}
