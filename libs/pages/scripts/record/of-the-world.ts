import type { JsonObject } from '#libs/kernel/json.js';
import { RAILS } from '#libs/payments/rails.js';
import { broken, type Compared, type Context, holds, inWords, type Outcome, untold } from './context.js';
import { movedIn } from './receipts.js';
import { nodeOf } from './nodes.js';

/** A page loads nothing from other hosts, so whether a delivery is still there is the service's word. */
export function checkDelivery({ record, live }: Context): Outcome {
  const delivery = record['delivery'] as JsonObject | null;
  if (!delivery) return untold('Nothing was delivered.');
  const compared: Compared[] = [
    ['Address', inWords(delivery['url'] ?? delivery['post'])],
    ['SHA-256 of what was delivered', inWords(delivery['digest'])],
  ];
  const because = `This page asks no other host. The service says that it is ${live}; whoever fetches it can compare its SHA-256.`;
  return untold(because, compared);
}

/** Whether the chain shows the wage: asked of the reader's own wallet or of a node that the service has named. */
export async function checkPayment({ record, events }: Context): Promise<Outcome> {
  const payment = record['payment'] as JsonObject | null;
  if (!payment) return untold('The record says of no payment.');
  const { tx, block, amount, network } = payment;
  const rail = RAILS.find(({ short }) => short === network);
  if (!rail) return untold(`This page does not know the chain ${inWords(network)}.`);
  const node = await nodeOf(rail);
  const compared: Compared[] = [
    ['Chain', `${rail.short} (${rail.network})`],
    ['Token', `${rail.token} at ${rail.asset}`],
    ['Amount, in smallest units', inWords(amount)],
    ['Transaction', inWords(tx)],
    ['Block', inWords(block)],
  ];
  if (!node) return untold(BY_WORD, compared);
  const receipt = await node.call('eth_getTransactionReceipt', [tx]).catch((error: unknown) => error as Error);
  if (receipt instanceof Error) return untold(`${node.name} did not answer: ${receipt.message}`, compared);
  const paid = (await events()).findLast(({ type, data }) => type === 'Paid' && (data as JsonObject)['tx'] === tx);
  const authorization = inWords((paid?.data as JsonObject | undefined)?.['payment']);
  const fault = movedIn(receipt, {
    rail,
    tx: inWords(tx),
    block: Number(block),
    amount: inWords(amount),
    authorization,
  });
  const asked: Compared[] = [...compared, ['Payer and nonce', authorization], ['Asked', node.name]];
  return fault === null ? holds(asked) : broken(fault, asked);
}

const BY_WORD =
  'This is the service’s word: no wallet of yours is on that chain, and the service names no node for browsers. The explorer shows the transaction.';
