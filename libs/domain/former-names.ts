import { DAY_MS } from '#libs/kernel/clock.js';

const RESERVED_MS = 30 * DAY_MS;
const FORMER_NAMES_MAX = 3;

/** A name that a rename replaced. Until `reserved_until` (unix ms) only its former owner can claim it. */
export interface FormerName {
  readonly name: string;
  readonly reserved_until: number;
}

/** Returns the newest three former names after a rename at `at` (unix ms). A name in use again is not one of them. */
export function addFormerName(
  former: readonly FormerName[],
  before: string | null,
  name: string | null | undefined,
  at: number,
): readonly FormerName[] {
  if (before === null || name == null || before === name) return former;
  const others = former.filter(each => each.name !== name && each.name !== before);
  return [...others, { name: before, reserved_until: at + RESERVED_MS }].slice(-FORMER_NAMES_MAX);
}

export const isReservedAt = ({ reserved_until }: FormerName, at: number): boolean => at < reserved_until;
