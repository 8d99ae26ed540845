import { FIELD_FAULTS_MAX, type FieldFault } from '#libs/kernel/field-faults.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { findNearestName } from './misspellings.js';

const SHOWN_CHARACTERS_MAX = 64;
/** Mailings and posts add it to addresses. */
const CAMPAIGN_PREFIX = 'utm_';

/**
 * Throws a 400 for an unknown query parameter: without it a misspelt filter would return everything. Returns the names
 * that are ignored.
 */
export function refuseUnknownParameters(
  sent: readonly string[],
  known: readonly string[],
  findOtherFaults: () => readonly FieldFault[] = () => [],
): string[] {
  const ignored = sent.filter(name => !known.includes(name));
  const unknown = ignored.filter(name => !name.startsWith(CAMPAIGN_PREFIX));
  if (unknown.length === 0) return ignored;
  const faults = unknown.slice(0, FIELD_FAULTS_MAX).map(name => describeUnknown(name, findNearestName(name, known)));
  const [{ field, error, suggestion }] = faults as [(typeof faults)[0]];
  const all = [
    ...faults.map(({ field, error }) => ({ field, reason: 'unknown_field', error }) as const),
    ...findOtherFaults(),
  ];
  throw new Refusal('unknown_parameter', error, {
    field,
    more: { suggestion },
    faults: all.slice(0, FIELD_FAULTS_MAX),
  });
}

export const shortenName = (name: string) => name.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed();

function describeUnknown(name: string, nearest: string | undefined) {
  const field = shortenName(name);
  const question = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
  return { field, suggestion: nearest ?? null, error: `This read has no parameter \`${field}\`.${question}` };
}
