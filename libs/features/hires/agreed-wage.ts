import { assertAudit, HiddenValueRefusal } from '#libs/endpoints/decision.js';
import { type ExternalInput, readsNoFurtherStream } from '#libs/endpoints/command.js';
import { isEventOf } from '#libs/domain/define.js';
import { Application, type SaltedAsk } from '#libs/features/jobs/domain/application.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import { type KnownJob, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { toAmount } from '#libs/features/jobs/domain/wage-fields.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';

type OpenApplication = Extract<Application, { status: 'applied' }>;

/** An auditor does not see the ask of an application. The hire reveals it, and the commitment proves it. */
export const revealedAsk: ExternalInput<{ readonly role: string; readonly to: string }, SaltedAsk | null, object> = {
  find: () => null,
  fromEvent({ role, to }, { event, read }) {
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
  },
  mustRead: readsNoFurtherStream,
};

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
