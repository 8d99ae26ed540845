import { ApiError, ConnectionLost } from '#libs/client/errors.js';
import { type PendingOperation, Exchange, newOperation } from '#libs/client/exchange.js';
import type { MuseKey } from '#libs/client/keys.js';
import { KNOWN_TOKENS } from '#libs/client/known-tokens.js';
import { Payer, type Price } from '#libs/client/payer.js';
import { RETRY_BOUNDS } from '#libs/client/retry.js';
import { SeenPositions } from '#libs/client/seen-positions.js';
import { ServiceClock } from '#libs/client/service-clock.js';
import { Transport } from '#libs/client/transport.js';
import type { WireFields } from '#libs/client/wire.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Provider } from '../wallet/provider.js';
import { WalletSigner } from '../wallet/wallet-signer.js';
import { removePurchase, savePurchase, type StoredPurchase } from './stored-purchases.js';
import { askChoice, confirmOffer, showStatus } from './panel.js';

/** Above the 20 s that a request waits for its payment's settlement. */
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;

/** A request that the reader makes now, under a key of its own. */
export const newPurchase = (museId: string, path: string, fields: WireFields): StoredPurchase => ({
  museId,
  path,
  fields,
  begun: newOperation(),
});

/**
 * Carries out a request, new or begun at an earlier visit, and pays for it where the reader agrees. It is kept in the
 * browser until it is answered, so that it is carried out and paid for once, whatever happens to the page. Answers what
 * the service does; throws a sentence for the reader.
 */
export async function executePurchase(purchase: StoredPurchase, key: MuseKey): Promise<JsonObject> {
  let kept = purchase;
  savePurchase(kept);
  const exchange = buildExchange(purchase, key, begun => savePurchase((kept = { ...kept, begun })));
  for (;;) {
    showStatus('Asking the service.');
    const outcome = await exchange.run().catch((error: unknown) => error as Error);
    const isOpen = outcome instanceof Error && isPossiblyExecuted(outcome, kept.begun);
    if (isOpen) {
      showStatus(`${errorText(outcome)} Nobody can say yet whether it was carried out.`);
      if (await askChoice('Ask again', 'Give it up')) continue;
    }
    removePurchase(kept);
    if (!(outcome instanceof Error)) return outcome;
    throw new Error(isOpen ? abandonedText(kept.begun) : errorText(outcome), { cause: outcome });
  }
}

/** Whether to go on with what an earlier visit has begun. What was paid for is asked for at once: it costs nothing more. */
export async function shouldResume(begun: StoredPurchase, what: string): Promise<boolean> {
  if (begun.begun.payment !== null) return true;
  showStatus(`${what} was sent from this browser, and no answer came.`);
  if (await askChoice('Send it again', 'Give it up')) return true;
  removePurchase(begun);
  showStatus('You have given it up.');
  return false;
}

/** What an answer says of a payment, in sentences; empty where nothing was paid. */
export function receiptText({ payment, void: isVoid }: JsonObject): string {
  if (!payment) return '';
  const { tx, network } = payment as { readonly tx: string; readonly network: string };
  const paid = `Paid in transaction ${tx} on ${network}.`;
  return isVoid ? `${paid} What it was for was gone by then; the operator of the service sees it.` : paid;
}

function buildExchange(
  { path, fields, begun }: StoredPurchase,
  key: MuseKey,
  keep: (begun: PendingOperation) => void,
): Exchange {
  const clock = new ServiceClock(Date.now);
  let wallet: Provider | null = null;
  const guard = { commit: async (price: Price) => void (wallet = await confirmOffer(price)) };
  const rails = KNOWN_TOKENS.map(({ rail }) => rail);
  const dependencies = {
    transport: new Transport(location.origin, (input, init) => fetch(input, init), REQUEST_TIMEOUT_MS),
    credentials: key,
    origin: location.origin,
    payer: new Payer(async () => new WalletSigner(wallet!), guard, clock, rails),
    clock,
    seen: new SeenPositions(),
    bounds: RETRY_BOUNDS,
    sleep: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
  };
  return new Exchange({ kind: 'write', path, fields }, dependencies, begun, keep);
}

/** Whether the request may have been carried out or, once a payment was signed, may still be. */
const isPossiblyExecuted = (error: Error, { payment }: PendingOperation): boolean =>
  payment !== null || error instanceof ConnectionLost || (error instanceof ApiError && error.resume !== undefined);

/** The service's own words, where it has answered. */
const errorText = (error: Error): string =>
  error instanceof ApiError ? [error.error, error.hint].filter(Boolean).join(' ') : error.message;

function abandonedText({ payment }: PendingOperation): string {
  if (payment === null) return 'You have given it up. It may have been carried out: look before you do it again.';
  const until = new Date(payment.expiredAt).toLocaleTimeString();
  return `You have given it up. What you have signed can still be taken until ${until}: wait for that before you pay again.`;
}
