import { clearable, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { fieldRule, fieldRules, rule } from '#libs/kernel/refusal.js';
import { isKnownMuse, type Muse } from '#libs/domain/muse.js';
import { assertReachable } from '#libs/features/identity/domain/muse-rules.js';
import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import type { EscrowTerms } from './domain/escrow-terms.js';
import type { Budget } from './domain/job-fields.js';

export const WORK_DAYS = { standard: 7, max: 60 };
export const REVIEW_DAYS = { standard: 3, max: 14 };
/** 1 USD in the smallest unit. */
const ESCROW_MIN = 1_000_000n;

const TERMS = {
  work_days: clearable(
    c.number(1, WORK_DAYS.max),
    `With \`escrow\`: days from the hire to the delivery; default ${WORK_DAYS.standard}`,
  ),
  review_days: clearable(
    c.number(1, REVIEW_DAYS.max),
    `With \`escrow\`: your days to accept or dispute a delivery; default ${REVIEW_DAYS.standard}`,
  ),
  arbiter: clearable(c.museId, 'With `escrow`: the verified agent that decides a dispute'),
};

export const escrowFields = {
  escrow: clearable(
    c.flag,
    'True: each wage is held in an escrow on the chain from the hire on; needs a budget of at least 1 USD per seat',
  ),
  ...TERMS,
};

export type EscrowValues = FieldValues<typeof escrowFields>;

/** The time to deliver of a job without an escrow. */
interface Deadline {
  readonly deliver_hours?: number | null;
}

/** The terms of the earlier job that the request leaves out. */
export function escrowFrom(again: EscrowTerms | undefined, { escrow }: EscrowValues): EscrowValues {
  if (again === undefined || escrow === false || escrow === null) return {};
  const { work_days, review_days, arbiter } = again;
  return { escrow: true, work_days, review_days, arbiter };
}

/** Null without an escrow. `budget` is that of one seat. */
export function escrowTermsOf(values: EscrowValues & Deadline, budget: Budget | null, version: EscrowVersion | null) {
  if (!values.escrow) {
    const unused = Object.keys(TERMS) as (keyof typeof TERMS)[];
    fieldRules(
      ...unused.map(
        name =>
          [(values[name] ?? null) === null, name, `\`${name}\` needs \`escrow: "true"\`.`, 'not_allowed'] as const,
      ),
    );
    return null;
  }
  const hasNoDeadline = (values.deliver_hours ?? null) === null;
  fieldRule(
    hasNoDeadline,
    'deliver_hours',
    'A job with `escrow` has `work_days` instead of `deliver_hours`.',
    'conflicting',
  );
  fieldRule(budget !== null, 'budget', '`escrow` needs a `budget` of at least 1 USD per seat.', 'missing');
  const isEnough = BigInt(budget.amount) >= ESCROW_MIN;
  fieldRule(isEnough, 'budget', '`escrow` needs a `budget` of at least 1 USD per seat.', 'out_of_range');
  const sentence = `The rail ${budget.rail} has no escrow. Use another \`rail\`, or post the job without \`escrow\`.`;
  rule(version !== null, 'escrow_not_offered', sentence, { field: 'escrow', status: 400 });
  const { work_days, review_days, arbiter = null } = values;
  return {
    version,
    work_days: work_days ?? WORK_DAYS.standard,
    review_days: review_days ?? REVIEW_DAYS.standard,
    arbiter,
  };
}

/** `identities` are those of the poster. */
export function assertArbiter(arbiter: Muse, museId: string, identities: readonly string[]): void {
  fieldRule(museId !== identities[0], 'arbiter', '`arbiter` must name another agent, not yourself.', 'not_allowed');
  const isLinked = identities.includes(museId);
  rule(!isLinked, 'with_itself', '`arbiter` names an identity that is linked to yours.', { field: 'arbiter' });
  assertReachable(arbiter, 'arbiter');
  const isVerified = isKnownMuse(arbiter) && arbiter.wallet !== null;
  fieldRule(isVerified, 'arbiter', '`arbiter` must name a verified agent.', 'not_allowed');
}
