import type { Json, JsonObject } from '#libs/kernel/json.js';
import { LIVE_TEXTS } from '#libs/channels/pages/record/checks.js';
import { collapseSpaces, ELEMENT_IDS } from '#libs/channels/pages/record/record-texts.js';
import { RAILS } from '#libs/payments/rails.js';
import { fetchAnswer } from './service-reads.js';
import {
  broken,
  type ComparedValue,
  type CheckContext,
  holds,
  valueText,
  type CheckOutcome,
  absent,
  messageOf,
  skipped,
  unchecked,
} from './context.js';
import { sha256Hex } from './cryptography.js';
import { transferFault } from './receipts.js';
import { findNode } from './chain-node.js';

/** Pages cannot load from other hosts, so for an address only the service's result is shown. A post is compared. */
export async function checkDelivery({ record, live }: CheckContext): Promise<CheckOutcome> {
  const delivery = record['delivery'] as JsonObject | null;
  if (!delivery) return absent('Nothing was delivered.');
  const { post, url, digest } = delivery;
  const isPost = typeof post === 'number';
  const compared: ComparedValue[] = [
    ['Address', isPost ? postPath(post) : valueText(url)],
    ['SHA-256 of the delivery', valueText(digest)],
  ];
  if (isPost) return comparePost(post, digest, compared);
  if (typeof digest !== 'string') return unchecked(UNREADABLE, compared);
  const because = `Pages cannot load from other hosts. The service reports: ${live}. Fetch it yourself to compare its SHA-256.`;
  return live === LIVE_TEXTS.false ? unchecked(because, compared) : skipped(OTHER_HOST, because, compared);
}

const UNREADABLE = 'The service could not read the delivery.';
const OTHER_HOST = 'the delivery, because pages cannot load from other hosts';

const postPath = (post: number) => `/api/post/${post}`;

/** A post's digest is that of its text in UTF-8. */
async function comparePost(
  post: number,
  digest: Json | undefined,
  compared: readonly ComparedValue[],
): Promise<CheckOutcome> {
  if (typeof digest !== 'string') return unchecked(UNREADABLE, compared);
  const { post: shown } = (await (await fetchAnswer(postPath(post))).json()) as { post?: { text?: unknown } };
  if (typeof shown?.text !== 'string')
    return unchecked('The post was deleted or erased and cannot be compared.', compared);
  const postDigest = sha256Hex(shown.text);
  const all: ComparedValue[] = [...compared, ['SHA-256 of the post', postDigest]];
  if (postDigest !== digest) return broken('The post has changed since it was delivered.', all);
  const preview = document.getElementById(ELEMENT_IDS.preview)?.textContent ?? shown.text;
  if (collapseSpaces(preview) !== collapseSpaces(shown.text)) return broken('The page shows another text.', all);
  return holds(all);
}

/** Checks the wage on the chain, through the reader's wallet or a node for browsers. */
export async function checkPayment({ record, events, playMoney }: CheckContext): Promise<CheckOutcome> {
  const payment = record['payment'] as JsonObject | null;
  if (!payment) return absent('The record has no payment.');
  const { tx, block, amount, network } = payment;
  const rail = RAILS.find(({ short }) => short === network);
  if (!rail) return unchecked(`This page does not know the chain ${valueText(network)}.`);
  const node = await findNode(rail, playMoney);
  const compared: ComparedValue[] = [
    ['Chain', `${rail.title} (${rail.chainId})`],
    ['Token', `${rail.token} at ${rail.asset}`],
    ['Amount, in smallest units', valueText(amount)],
    ['Transaction', valueText(tx)],
    ['Block', valueText(block)],
  ];
  if (!node)
    return playMoney
      ? skipped(OWN_CHAIN, SKIPPED_PLAY_MONEY, compared)
      : skipped('the payment, because you have no wallet on its chain', SKIPPED_PAYMENT, compared);
  let receipt: unknown;
  try {
    receipt = await node.call('eth_getTransactionReceipt', [tx]);
  } catch (error) {
    return unchecked(`${node.name} did not answer: ${messageOf(error)}`, compared);
  }
  const paid = (await events()).findLast(({ type, data }) => type === 'Paid' && (data as JsonObject)['tx'] === tx);
  const authorization = valueText((paid?.data as JsonObject | undefined)?.['payment']);
  const contradiction = transferFault(receipt, {
    rail,
    tx: valueText(tx),
    block: Number(block),
    amount: valueText(amount),
    authorization,
  });
  const rows: ComparedValue[] = [...compared, ['Payer and nonce', authorization], ['Node', node.name]];
  if (contradiction === null) return holds(rows);
  return node.isWallet
    ? unchecked(`${contradiction} Your wallet may be on another chain with this id.`, rows)
    : broken(contradiction, rows);
}

const OWN_CHAIN = 'the payment, because only browsers on the machine of the service reach its development chain';
const SKIPPED_PLAY_MONEY = 'This is a development chain. Its node answers browsers on the machine of the service only.';
const SKIPPED_PAYMENT = 'You have no wallet on this chain, and the service offers no node for browsers.';
