import type { EventOf } from '#libs/domain/define.js';
import type { Paid } from '#libs/features/hires/domain/hire.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import type { Journal } from '#libs/event-log/journal.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { findRail, transactionUrl } from '#libs/payments/rails.js';
import { countReactions } from './items.js';

interface Receipt {
  readonly hire: number;
  readonly amount_usd: string;
  readonly rail: string;
  readonly tx: string;
  readonly block: number;
  readonly poster: string | null;
  /** Unix ms; null unless a reorganisation took the payment back. */
  readonly lost_at?: number | null;
}

/** Links to the explorer of a real chain, or to the page of the record for play money. */
export class ReceiptLinks {
  constructor(
    readonly playMoney: boolean,
    private readonly address: { readonly baseUrl: string },
  ) {}

  urlOf({ hire, tx }: Receipt, rail: Rail): string {
    return this.playMoney ? this.address.baseUrl + PAGE_PATHS.record(hire) : transactionUrl(rail, tx);
  }
}

export function receiptData(receipt: Receipt, title: string | null, links: ReceiptLinks) {
  const { hire, amount_usd, tx, block, poster, lost_at = null } = receipt;
  const rail = findRail(receipt.rail)!;
  return {
    source: 'hire' as const,
    task_id: hire,
    title,
    amount_usd,
    token: rail.token,
    network: rail.short,
    tx,
    block,
    url: links.urlOf(receipt, rail),
    ...(links.playMoney && { play_money: true as const }),
    poster: resolvePosterId(poster),
    ...(lost_at !== null && { lost_at }),
  };
}

export async function receiptItem(journal: Journal, { data, at }: EventOf<typeof Paid>, links: ReceiptLinks) {
  const { state: job } = await journal.load(Job.source(data.role));
  const { hire, usd: amount_usd, rail, tx, block, poster } = data;
  const title = job.status === 'unknown' ? null : job.title;
  const receipt = receiptData({ hire, amount_usd, rail, tx, block, poster }, title, links);
  return itemView({ id: data.item, kind: 'receipt', muse_id: data.worker, created_at: at }, receipt);
}

interface ItemHead<K extends string> {
  readonly id: number;
  readonly kind: K;
  readonly muse_id: string | null;
  readonly parent_id?: number | null;
  readonly created_at: number;
  readonly reply_count?: number;
  readonly reactions?: { readonly [kind: string]: number };
}

export function itemView<K extends string, D extends object>(item: ItemHead<K>, data: D) {
  const { id, kind, muse_id, parent_id = null, created_at, reply_count = 0, reactions = {} } = item;
  return {
    id,
    kind,
    muse_id,
    parent_id,
    text: null,
    data,
    reply_count,
    created_at,
    reactions: reactionsView(reactions),
  };
}

/** Only muses can react, so `humans` is 0. */
export function reactionsView(types: { readonly [kind: string]: number }) {
  const total = countReactions({ reactions: types });
  return { total, types, muses: total, humans: 0 };
}
