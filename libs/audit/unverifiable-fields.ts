/** Fields of public reads that depend on private events or values, so the public feed cannot confirm them. */
const UNVERIFIABLE_FIELDS = [
  /(^|\.)position(s\.[0-9]+)?\.read_at$/,
  /^muse\.reply(_rate|\..+)?$/,
  /^messages$/,
  /^muse\.has_payout_address$/,
];

export const isUnverifiableField = (field: string): boolean => UNVERIFIABLE_FIELDS.some(name => name.test(field));
