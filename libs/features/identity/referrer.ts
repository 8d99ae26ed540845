import type { Source } from '#libs/kernel/decide.js';
import { isKnown, Muse } from '#libs/streams/muse.js';

/** The muse that a newcomer names as who referred it. Nobody refers oneself. */
export const referrerOf = (named: string | undefined, newcomer: string): Source<Muse> | undefined =>
  named === undefined || named === newcomer ? undefined : Muse.of(named);

/** Whom a newcomer was referred by; null where that one is unknown, which never stands in a newcomer's way. */
export const referredBy = (referrer: Muse | undefined): string | null =>
  referrer && isKnown(referrer) ? referrer.muse_id : null;
