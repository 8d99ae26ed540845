import type { Ids } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import type { OpenApplication } from './domain/application.js';
import type { KnownJob } from './domain/job.js';
import { toAmount } from './domain/wage-fields.js';

/** Fields of an application that state the wage that the applicant asks for. */
interface AskFields {
  readonly ask: string | null;
  readonly ask_usd: string | null;
  readonly ask_commitment: string | null;
  readonly ask_salt: string | null;
}

export const NO_ASK: AskFields = { ask: null, ask_usd: null, ask_commitment: null, ask_salt: null };

/** Salted, because an auditor checks the wage of the hire against it, and few amounts are likely. */
export function newAsk(units: bigint | null, { role, budget }: KnownJob, ids: Ids): AskFields {
  if (units === null) return NO_ASK;
  rule(budget !== null, 'no_budget', 'This job pays no wage: leave out `ask`.', { field: 'ask' });
  rule(
    units <= BigInt(budget.amount),
    'ask_above_budget',
    `\`ask\` must be at most the budget of this job, ${budget.usd} ${budget.token}.`,
    { field: 'ask' },
  );
  const { amount: ask, usd: ask_usd } = toAmount(units);
  const { commitment: ask_commitment, salt: ask_salt } = ids.salted(`ask/${role}`, ask);
  return { ask, ask_usd, ask_commitment, ask_salt };
}

export function keptAsk({ ask, askCommitment }: OpenApplication): AskFields {
  if (ask === null) return { ...NO_ASK, ask_commitment: askCommitment };
  const { amount, salt } = ask;
  return { ask: amount, ask_usd: toAmount(BigInt(amount)).usd, ask_commitment: askCommitment, ask_salt: salt };
}

/** The ask that an event of an application states. */
export const askIn = ({ ask, ask_usd }: Pick<AskFields, 'ask' | 'ask_usd'>) =>
  ask === null || ask_usd === null ? null : { amount: ask, usd: ask_usd };
