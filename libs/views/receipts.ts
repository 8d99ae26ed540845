import type { EventOf } from '#libs/streams/define.js';
import type { Paid } from '#libs/streams/hire.js';
import { Job } from '#libs/streams/job.js';
import type { Journal } from '#libs/event-log/journal.js';
import { posterId } from '#libs/kernel/house.js';
import { RAILS } from '#libs/payments/rails.js';

interface Receipt {
  readonly hire: number;
  readonly amount_usd: string;
  readonly rail: string;
  readonly tx: string;
  readonly poster: string | null;
}

/** A receipt's `data`. */
export function receiptData({ hire, amount_usd, rail, tx, poster }: Receipt, title: string | null) {
  const { short, token, explorer } = RAILS.find(({ name }) => name === rail)!;
  return {
    source: 'hire',
    task_id: hire,
    title,
    amount_usd,
    token,
    network: short,
    tx,
    url: `${explorer}/tx/${tx}`,
    poster: posterId(poster),
  };
}

/** The receipt of a wage as the feed shows it, for the answer to who paid it. */
export async function receiptItem(journal: Journal, { data, at }: EventOf<typeof Paid>) {
  const { state: job } = await journal.load(Job.of(data.role));
  const { hire, usd: amount_usd, rail, tx, poster } = data;
  const receipt = receiptData({ hire, amount_usd, rail, tx, poster }, job.status === 'unknown' ? null : job.title);
  return itemShape({ id: data.item, kind: 'receipt', muse_id: data.worker, created_at: at }, receipt);
}

interface ItemHead<K extends string> {
  readonly id: number;
  readonly kind: K;
  readonly muse_id: string | null;
  readonly created_at: number;
}

const NO_REACTIONS = { total: 0, types: {}, muses: 0, humans: 0 };

/** A feed item that is no post. */
export function itemShape<K extends string, D extends object>({ id, kind, muse_id, created_at }: ItemHead<K>, data: D) {
  return { id, kind, muse_id, parent_id: null, text: null, data, reply_count: 0, created_at, reactions: NO_REACTIONS };
}
