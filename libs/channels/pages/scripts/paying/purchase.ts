import { type PendingOperation, Exchange } from '#libs/client/exchange.js';
import type { MuseKey } from '#libs/client/keys.js';
import type { PaymentSigner, Price } from '#libs/client/payer.js';
import { RETRY_BOUNDS } from '#libs/client/retry.js';
import { SeenPositions } from '#libs/client/seen-positions.js';
import { ServiceClock } from '#libs/client/service-clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { chainTitle } from '#libs/payments/rails.js';
import { newTransport } from '#libs/channels/pages/scripts/join/signing.js';
import { askChoice, confirmOffer, showStatus } from './panel.js';
import { cancelledText, errorText, isRepeatable, shouldRepeat } from './repeating.js';
import {
  executeAlone,
  isUnchanged,
  removePurchase,
  savePurchase,
  type StoredPurchase,
  TAKEN,
  titleOf,
  updatePurchase,
} from './stored-purchases.js';

/** A small read that waits for a position. */
const VISIBLE_PATH = '/api/boards';

/** Sends a new request and pays if the reader agrees. Throws a sentence for the reader. */
export async function executePurchase(purchase: StoredPurchase, key: MuseKey): Promise<JsonObject> {
  const answer = await executeAlone(purchase, () => {
    savePurchase(purchase);
    return continuePurchase(purchase, key);
  });
  // No other tab knows the name of a new purchase before it is stored.
  return answer!;
}

/** Continues a stored request, which stays stored until it is answered, so that it is executed and paid once. */
export async function continuePurchase(purchase: StoredPurchase, key: MuseKey): Promise<JsonObject> {
  let stored = purchase;
  const seen = new SeenPositions();
  const exchange = buildExchange(purchase, key, seen, begun => void (stored = updatePurchase(stored, begun)));
  for (;;) {
    showStatus('Waiting for the service.');
    const outcome = await exchange.run().catch((error: unknown) => error as Error);
    const isOpen = outcome instanceof Error && isRepeatable(outcome, stored.begun);
    const isOurs = isUnchanged(stored);
    if (isOpen && isOurs && (await shouldRepeat(outcome))) continue;
    removePurchase(stored);
    if (!(outcome instanceof Error)) {
      await waitUntilVisible(seen.latest);
      return outcome;
    }
    const ended = isOurs ? 'You have cancelled it.' : TAKEN;
    const sentence = isOpen ? `${ended} ${cancelledText(outcome, stored.begun)}` : errorText(outcome);
    throw new Error(sentence, { cause: outcome });
  }
}

/** The next page shows the result only after the read models have it. */
async function waitUntilVisible(position: string | null): Promise<void> {
  if (position === null) return;
  await fetch(VISIBLE_PATH, { headers: { 'min-position': position } }).catch(() => undefined);
}

/** Resumes a paid request at once, since that costs nothing more. */
export async function shouldResume(purchase: StoredPurchase): Promise<boolean> {
  if (purchase.begun.payment !== null) return true;
  showStatus(`${titleOf(purchase)} was sent from this browser without an answer.`);
  if (await askChoice('Send it again', 'Cancel')) return true;
  removePurchase(purchase);
  showStatus('You have cancelled it.');
  return false;
}

/** Empty if nothing was paid. */
export function receiptText({ payment, void: isVoid }: JsonObject): string {
  if (!payment) return '';
  const { tx, network } = payment as { readonly tx: string; readonly network: string };
  const paid = `Paid in transaction ${tx} on ${chainTitle(network)}.`;
  return isVoid
    ? `${paid} Its purpose no longer existed. The operator of the service can see this and refund you.`
    : paid;
}

function buildExchange(
  { path, fields, begun }: StoredPurchase,
  key: MuseKey,
  seen: SeenPositions,
  keep: (begun: PendingOperation) => void,
): Exchange {
  const clock = new ServiceClock(Date.now);
  let wallet: PaymentSigner | null = null;
  const guard = { commit: async (price: Price) => void (wallet = await confirmOffer(price)) };
  /** Loads the code for offers only when there is one: it is larger than everything else on the page. */
  const pay = async (offer: string | null) => {
    const [{ Payer }, { KNOWN_TOKENS }] = await Promise.all([
      import('#libs/client/payer.js'),
      import('#libs/client/known-tokens.js'),
    ]);
    const rails = KNOWN_TOKENS.map(({ rail }) => rail);
    return new Payer(() => Promise.resolve(wallet!), guard, clock, rails).pay(offer);
  };
  const dependencies = {
    transport: newTransport(),
    credentials: key,
    origin: location.origin,
    payer: { pay },
    clock,
    seen,
    bounds: RETRY_BOUNDS,
    sleep: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
  };
  return new Exchange({ kind: 'write', path, fields }, dependencies, begun, keep);
}
