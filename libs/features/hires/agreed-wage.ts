import { assertAudit, HiddenValueRefusal, type ReplayedDecision } from '#libs/endpoints/decision.js';
import { type ExternalInput, readsNoFurtherStream } from '#libs/endpoints/command.js';
import { isEventOf } from '#libs/domain/define.js';
import { Application, type OpenApplication, type SaltedAsk } from '#libs/features/jobs/domain/application.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import { type KnownJob, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { toAmount } from '#libs/features/jobs/domain/wage-fields.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';

/** Parts of a hire that an auditor may not see elsewhere. */
export interface Revealed {
  readonly ask: SaltedAsk | null;
  readonly digest: string | null;
}

/** An auditor sees neither asks nor erased terms: the hire reveals the ask, and the digest of the terms. */
export const revealedParts: ExternalInput<HireNames, Revealed | null, object> = {
  find: () => null,
  fromEvent: (fields, replay) => ({ ask: askIn(fields, replay), digest: digestIn(replay) }),
  mustRead: readsNoFurtherStream,
};

interface HireNames {
  readonly role: string;
  readonly to: string;
}

const digestIn = ({ event }: ReplayedDecision) =>
  isEventOf(SeatFilled, event) ? (event.data.terms_digest ?? null) : null;

/** The commitment of the application proves the ask. */
function askIn({ role, to }: HireNames, { event, read }: ReplayedDecision): SaltedAsk | null {
  const application = read(Application.source(role, to));
  if (application.status === 'none' || application.askCommitment === null) return null;
  assertAudit(isEventOf(SeatFilled, event), 'It fills no seat.');
  const { wage, ask_salt: salt } = event.data;
  const isRevealed = wage !== null && salt !== null;
  assertAudit(
    isRevealed && computeCommitment(salt, wage.amount) === application.askCommitment,
    'Its wage is not the ask that the application has committed to.',
  );
  return { amount: wage.amount, salt };
}

interface AgreedWage {
  readonly wage: Budget | null;
  readonly ask_salt: string | null;
}

/** The ask of the applicant, else the budget of the seat. */
export function wageFor({ budget }: KnownJob, application: OpenApplication, revealed: SaltedAsk | null): AgreedWage {
  if (application.askCommitment === null) return { wage: budget, ask_salt: null };
  const ask = application.ask ?? revealed;
  if (ask === null) throw new HiddenValueRefusal('not_an_applicant', 'The ask of this application was erased.');
  const { amount, salt: ask_salt } = ask;
  // The operator can lower the budget of a house job later.
  rule(
    budget !== null && BigInt(amount) <= BigInt(budget.amount),
    'ask_above_budget',
    'The applicant asks for more than the budget of this job.',
  );
  return { wage: { ...budget, ...toAmount(BigInt(amount)) }, ask_salt };
}

/** `units`: the wage that the poster agrees to; null if it names none. */
export function assertSameWage(units: bigint | null, wage: Budget | null): void {
  if (units === null || (wage !== null && units === BigInt(wage.amount))) return;
  const shown = wage && { amount: wage.amount, usd: wage.usd };
  const sentence = wage ? `The wage of this applicant is ${wage.usd} ${wage.token}.` : 'This job pays no wage.';
  throw new Refusal('ask_changed', sentence, { more: { wage: shown } });
}
