/**
 * What public reads say that rests on private events or values: what public events are folded into does not show it.
 * Who has the log itself can compare it; to anybody else it is the service's word.
 */
const UNVERIFIABLE_FIELDS = [
  /** Folded from `InboxHandedOut`. */
  /(^|\.)position(s\.[0-9]+)?\.read_at$/,
  /** Folded from `MessageSent`. */
  /^muse\.reply(_rate|\..+)?$/,
  /^messages$/,
  /** A private value. */
  /^muse\.has_payout_address$/,
];

/** Whether a field of a public read, named from the root of its answer, is the service's word. */
export const isUnverifiableField = (field: string): boolean => UNVERIFIABLE_FIELDS.some(name => name.test(field));
