import { type Fields, type ValuesOf, valuesOf } from '#libs/validation/fields.js';
import type { Journal } from '#libs/event-log/journal.js';
import { IdTaken, sha256Hex } from '#libs/kernel/ids.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { FEE_PERCENT } from '#libs/kernel/money.js';
import { rule } from '#libs/kernel/refusal.js';
import type { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Settled } from '#libs/payments/purchase.js';
import { RAILS } from '#libs/payments/rails.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { Job, JobPosted } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { isIn, isOpenProject, Project } from '#libs/features/projects/domain/project.js';
import { begun, type CommandContext, type DecisionContext } from '#libs/kernel/decide.js';
import { shown } from '#libs/endpoints/decision.js';
import { deed } from '#libs/endpoints/sale.js';
import { type BudgetValues, expiryOf, type Fee, feeOf, type JobValues, PRICED_BY, termsOf } from './job-terms.js';

/** What posts a job, by whatever endpoint: the same facts, refusals, price and claims. */

type Paid = Pick<Fee, 'budget'> & { readonly payment: string };
export const FREE = { budget: null, payment: null };

/** A job under a slug that is derived from the request. */
export function posted(job: Job, said: JobValues, { ids, at, actor }: DecisionContext, paid: Paid | typeof FREE) {
  const { project = null, again_of = null } = said;
  const expires_at = expiryOf(said.expires_at, at);
  if (job.status !== 'unknown') throw new IdTaken();
  const made = { role: ids.slug('job'), item: ids.item('job'), poster: actor };
  return [JobPosted({ ...made, ...termsOf(said), ...paid, project, again_of, expires_at })];
}

interface Named {
  readonly again?: Job | undefined;
  readonly project?: Project | undefined;
}

/** What the job refers to must be there, and its project one's own. */
export function assertNamed({ again, project }: Named, actor: string): void {
  rule(project?.status !== 'unknown', 'not_found', 'There is no such project.', { field: 'project' });
  rule(again?.status !== 'unknown', 'not_found', 'again_of must name an existing role.', { field: 'again_of' });
  if (project === undefined) return;
  rule(isIn(project, actor), 'not_a_member', 'One posts jobs for a project that one is in.', { field: 'project' });
  rule(isOpenProject(project), 'project_closed', `The project is ${project.status}.`, { field: 'project' });
}

export const namedIn = ({ again_of, project }: JobValues) => ({
  again: again_of === undefined ? undefined : Job.of(again_of),
  project: project === undefined ? undefined : Project.of(project),
});

export const answerOf = (role: string) => ({ role, url: `/api/role/${role}` });

interface Uses {
  readonly journal: Journal;
  readonly settings: PaymentSettings;
}

/** An endpoint that posts jobs, and how what is sent to it says one. */
interface Posting<F extends Fields> {
  readonly path: string;
  /** The name of the decision that posts a job whose fee has been paid. */
  readonly effect: string;
  readonly fields: F;
  readonly jobOf: (said: ValuesOf<F>) => JobValues;
}

/** The fee as it is offered. */
const priceOf = ({ amount, rail, budget }: Fee, path: string, payTo: string) => ({
  path,
  description: `The ${FEE_PERCENT} % fee of a job that pays ${budget.usd} ${budget.token} for each seat`,
  amount,
  payTo,
  rails: [rail],
});

/** What is paid for a job that has a budget. */
export function feeSale<const F extends Fields>({ path, effect, fields, jobOf }: Posting<F>) {
  return {
    payee: 'service' as const,
    isFree: ({ budget, budget_usd }: BudgetValues) => !budget && !budget_usd,
    pricedBy: PRICED_BY.filter(name => name in fields),
    price(said: BudgetValues, { settings }: Uses) {
      const fee = feeOf(said, settings.rails);
      return fee && priceOf(fee, path, settings.serviceWallet);
    },
    async purchase(said: ValuesOf<F>, { actor, at }: CommandContext, { journal, settings }: Uses) {
      const job = jobOf(said);
      const fee = feeOf(job, settings.rails)!;
      expiryOf(job.expires_at, at);
      const { again, project } = namedIn(job);
      const named = {
        again: again && (await journal.load(again)).state,
        project: project && (await journal.load(project)).state,
      };
      assertNamed(named, actor);
      const purchased = sha256Hex(canonicalJson({ muse: actor, ...job }));
      return {
        ...priceOf(fee, path, settings.serviceWallet),
        things: [{ kind: 'purchase' as const, value: `job/${purchased}` }],
        owner: Muse.named(actor),
        subject: {},
      };
    },
    // The texts were erased while the payment was under way: there is nothing left to post.
    isVoid: ({ accepted }: Settled) => (accepted.data.fields === null ? 'forgotten' : null),
    /** Posts a job whose fee has been paid. */
    deed: deed(effect, {
      events: [JobPosted],
      writes: (_payment, { ids }) => begun(Job.of(ids.slug('job'))),
      decide(state, { accepted: { data } }, context) {
        const job = jobOf(valuesOf(fields, shown<RequestFields>(data.fields)));
        // Who named no rail was offered one of the service's, which may settle on another by now.
        const fee = feeOf({ ...job, rail: job.rail ?? data.rail }, RAILS);
        return fee ? posted(state, job, context, { budget: fee.budget, payment: data.payment }) : [];
      },
    }),
  };
}
