import type { Journal } from '#libs/event-log/journal.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import { taskAtAddress } from '#libs/features/jobs/domain/instant-names.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { FAILURE_REASONS, failureSentence } from '#libs/platform/safe-fetch/failure.js';

export type DeliveryContent =
  | { readonly ok: true; readonly digest: string; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

export const ERASED_CONTENT = { ok: false, reason: 'erased' } as const;

interface Delivery {
  readonly url: string | null;
  readonly post: number | null;
  readonly worker: string;
}

/** Reads a post or an instant answer from the log. Undefined for an address that must be fetched. */
export async function readInternalDelivery(
  journal: Journal,
  { url, post, worker }: Delivery,
): Promise<DeliveryContent | undefined> {
  if (post !== null) {
    const { state } = await journal.load(Post.source(post));
    return contentOfText(state.status === 'posted' ? state.text : null);
  }
  const task = url === null ? null : taskAtAddress(url);
  if (task === null) return undefined;
  const { state } = await journal.load(Instant.source(worker));
  return contentOfText(state.tasks.get(task)?.answered?.data.answer ?? null);
}

function contentOfText(text: string | null): DeliveryContent {
  if (text === null) return ERASED_CONTENT;
  return { ok: true, digest: sha256Hex(text), bytes: Buffer.byteLength(text) };
}

export function unreadReason(reason: string) {
  const failure = FAILURE_REASONS.find(code => code === reason);
  return failure
    ? { reason: failure, error: `${failureSentence(failure)} The service keeps trying for 24 hours.` }
    : { reason: ERASED_CONTENT.reason, error: 'The delivered content was erased.' };
}
