import { DAY_MS } from '#libs/kernel/clock.js';
import type { HireDocument } from './hires.js';

/** A payment whose hire was not made has no document. */
export const byEscrowedHire = ({ data: { hire } }: { readonly data: { readonly hire?: number } }) =>
  hire === undefined ? [] : [String(hire)];

/** The review begins when a version is first read. */
export const withReview = ({ escrow, delivery, review_days }: HireDocument, at: number) =>
  escrow && delivery?.digest === null ? { ...escrow, review_ends_at: at + (review_days ?? 0) * DAY_MS } : escrow;
