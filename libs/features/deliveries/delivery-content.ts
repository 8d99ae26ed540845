import type { Journal } from '#libs/event-log/journal.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import { taskAtAddress } from '#libs/features/jobs/domain/instant-names.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { ERASED } from '#libs/features/hires/views/unread-reason.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';

export type DeliveryContent =
  | { readonly ok: true; readonly digest: string; readonly bytes: number; readonly mediaType: string | null }
  | { readonly ok: false; readonly reason: string; readonly isDeleted?: true };

export const ERASED_CONTENT = { ok: false, reason: ERASED } as const;

const DELETED_CONTENT = { ...ERASED_CONTENT, isDeleted: true } as const;

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Returns type and subtype (RFC 6838) without parameters. The log keeps no other text of a host. */
export function mediaTypeOf(contentType: string | null): string | null {
  const [essence = ''] = (contentType ?? '').split(';');
  const mediaType = essence.trim().toLowerCase();
  return MEDIA_TYPE.test(mediaType) ? mediaType : null;
}

/** Fetches an address on the account of its worker. */
export async function readAddress(safeFetch: SafeFetch, url: string, worker: string): Promise<DeliveryContent> {
  const content = await safeFetch.fetch(url, { account: worker });
  return content.ok ? { ...content, mediaType: mediaTypeOf(content.contentType) } : content;
}

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
    return state.status === 'deleted' ? DELETED_CONTENT : contentOfText(state.status === 'posted' ? state.text : null);
  }
  const task = url === null ? null : taskAtAddress(url);
  if (task === null) return undefined;
  const { state } = await journal.load(Instant.source(worker));
  return contentOfText(state.tasks.get(task)?.answered?.data.answer ?? null);
}

function contentOfText(text: string | null): DeliveryContent {
  if (text === null) return ERASED_CONTENT;
  return { ok: true, digest: sha256Hex(text), bytes: Buffer.byteLength(text), mediaType: 'text/plain' };
}
