import { type FieldDeclarations, type FieldValues, parseFieldValues } from '#libs/validation/request-fields.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Journal } from '#libs/event-log/journal.js';
import { IdCollision, sha256Hex } from '#libs/kernel/ids.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { calculateFee, FEE_PERCENT } from '#libs/kernel/money.js';
import { rule } from '#libs/kernel/refusal.js';
import type { PaymentSettings } from '#libs/payments/payment.settings.js';
import { RAILS } from '#libs/payments/rails.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { assertJobExists, Job, JobPosted } from './domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import type { EscrowRails } from '#libs/payments/escrow-rails.js';
import { isMember, isOpenProject, Project } from '#libs/features/projects/domain/project.js';
import { newStream, type CommandContext, type DecisionContext } from '#libs/kernel/decide.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { requireVisible } from '#libs/endpoints/decision.js';
import { onSettled } from '#libs/endpoints/paid-action.js';
import {
  addPriced,
  addTerms,
  completeJob,
  type CompleteJobValues,
  expiryOf,
  type Fee,
  feeOf,
  type JobValues,
  PRICED_BY,
  type PricedValues,
  takesBudget,
  termsOf,
} from './job-terms.js';
import { payTermOf } from './pay-term.js';
import { assertArbiter, escrowTermsOf } from './escrow-fields.js';
import type { EscrowTerms } from './domain/escrow-terms.js';

type PaidFee = Pick<Fee, 'budget'> & { readonly payment: string; readonly escrow?: EscrowTerms };
export const FREE = { budget: null, payment: null };

/** Refuses terms of an escrow. */
export const assertNoEscrow = (values: JobValues) => escrowTermsOf(values, null, null);

export function postWithTerms(
  job: Job,
  values: CompleteJobValues,
  { ids, at, actor }: DecisionContext,
  paid: PaidFee | typeof FREE,
) {
  const { project = null, again_of = null } = values;
  const expires_at = expiryOf(values.expires_at, at);
  if (job.status !== 'unknown') throw new IdCollision();
  const head = { role: ids.slug('job'), item: ids.item('job'), poster: actor };
  const term = payTermOf(values, paid.budget);
  return [JobPosted({ ...head, ...termsOf(values), ...paid, ...term, project, again_of, expires_at })];
}

/** Streams of the things that a request names. */
interface JobReferences {
  readonly arbiter?: Muse | undefined;
  readonly own?: Muse | undefined;
  readonly again?: Job | undefined;
  readonly project?: Project | undefined;
}

function assertReferences({ again, project }: JobReferences, identities: readonly string[]): void {
  rule(project?.status !== 'unknown', 'not_found', '`project` must name an existing project.', { field: 'project' });
  if (again) assertJobExists(again, 'again_of');
  if (project === undefined) return;
  const mayPost = identities.some(id => isMember(project, id));
  rule(mayPost, 'not_a_member', 'You can only post jobs for a `project` that you are a member of.', {
    field: 'project',
  });
  rule(
    isOpenProject(project),
    'project_closed',
    `The \`project\` is ${project.status}, so you cannot post jobs for it.`,
    {
      field: 'project',
    },
  );
}

export const referencesIn = ({ again_of, project }: JobValues) => ({
  again: again_of === undefined ? undefined : Job.source(again_of),
  project: project === undefined ? undefined : Project.source(project),
});

/** The job command for a job without a fee. The purchase makes no offer for these fields. */
export function postFree(job: Job, fields: JobValues, references: JobReferences, context: DecisionContext) {
  const identities = actingIdentities(context.actor, references.own);
  assertReferences(references, identities);
  const values = completeJob(fields, references.again, identities);
  rule(!values.budget && !values.budget_usd, 'payment_required', 'This job needs a payment of its fee.');
  assertNoEscrow(values);
  return postWithTerms(job, values, context, FREE);
}

export const answerOf = (role: string) => ({ role, url: `/api/role/${role}` });

interface PostingDependencies {
  readonly journal: Journal;
  readonly settings: PaymentSettings;
  readonly escrows: EscrowRails;
}

interface PostingEndpoint<F extends FieldDeclarations> {
  readonly path: string;
  /** Name of the decision that posts a job after its fee is paid. */
  readonly effect: string;
  readonly fields: F;
  readonly jobOf: (values: FieldValues<F>) => JobValues;
}

const priceOf = ({ amount, rail, budget }: Fee, path: string, payTo: string) => ({
  path,
  description: `The ${FEE_PERCENT} % fee of a job that pays ${budget.usd} ${budget.token} per seat`,
  amount,
  payTo,
  rails: [rail],
});

const escrowOfFee = (values: PricedValues, fee: Fee | null, escrows: EscrowRails) =>
  escrowTermsOf(values, fee?.budget ?? null, values.escrow && fee ? escrows.versionOn(fee.budget.rail) : null);

async function checkArbiter(museId: string, identities: readonly string[], journal: Journal): Promise<void> {
  const { state } = await journal.load(Muse.source(museId));
  assertArbiter(state, museId, identities);
}

/** Posts the job once its fee is paid. */
function postingEffect(name: string, valuesOf: (sent: RequestFields) => JobValues) {
  return onSettled(name, {
    events: [JobPosted],
    writes: (_payment, { ids }) => newStream(Job.source(ids.slug('job'))),
    reads: ({ accepted: { data } }) => ({
      again: data.fields ? referencesIn(valuesOf(data.fields)).again : undefined,
    }),
    decide(state, { accepted: { data } }, context, reads) {
      const again = reads?.['again'] as Job | undefined;
      const requested = valuesOf(requireVisible<RequestFields>(data.fields));
      const job = again && again.status !== 'unknown' ? addTerms(requested, again) : (requested as CompleteJobValues);
      // The texts may have been erased since the payment.
      if (job === null) return [];
      // Without a rail the default was offered, which may be another one today, so the paid rail applies.
      const fee = feeOf({ ...job, rail: job.rail ?? data.rail }, RAILS);
      if (fee === null) return [];
      const { escrow: version = null } = (data.subject ?? {}) as { readonly escrow?: EscrowVersion };
      const escrow = escrowTermsOf(job, fee.budget, version);
      const paid = { budget: fee.budget, payment: data.payment, ...(escrow && { escrow }) };
      return postWithTerms(state, job, context, paid);
    },
  });
}

export function feeSale<const F extends FieldDeclarations>({ path, effect, fields, jobOf }: PostingEndpoint<F>) {
  const valuesOf = (sent: RequestFields) => jobOf(parseFieldValues(fields, sent));
  return {
    payee: 'service' as const,
    /** Undefined if only the earlier job tells. */
    isFree: (values: PricedValues) => (takesBudget(values) ? undefined : !values.budget && !values.budget_usd),
    priceOfRequest(values: FieldValues<F>) {
      const job = jobOf(values);
      return job.again_of === undefined ? (feeOf(job, RAILS)?.amount ?? 0n) : null;
    },
    priceOfEffect: ({ budget, seats }: EventOf<typeof JobPosted>['data']) =>
      budget && { amount: calculateFee(BigInt(budget.amount), seats), rail: budget.rail },
    pricedBy: PRICED_BY.filter(name => name in fields),
    async price(values: PricedValues, { journal, settings, escrows }: PostingDependencies) {
      const again = values.again_of && (await journal.load(Job.source(values.again_of))).state;
      const isKnown = again && again.status !== 'unknown';
      const priced = isKnown ? addPriced(values, again) : values;
      const fee = feeOf(priced, settings.rails);
      escrowOfFee(priced, fee, escrows);
      return fee && priceOf(fee, path, settings.serviceWallet);
    },
    async purchase(
      values: FieldValues<F>,
      { actor, at }: CommandContext,
      { journal, settings, escrows }: PostingDependencies,
    ) {
      const requested = jobOf(values);
      const { again, project } = referencesIn(requested);
      const references = {
        again: again && (await journal.load(again)).state,
        project: project && (await journal.load(project)).state,
      };
      const identities = actingIdentities(actor, (await journal.load(Muse.source(actor))).state);
      assertReferences(references, identities);
      const job = completeJob(requested, references.again, identities);
      const fee = feeOf(job, settings.rails);
      if (fee === null) return null;
      payTermOf(job, fee.budget);
      const escrow = escrowOfFee(job, fee, escrows);
      if (escrow?.arbiter) await checkArbiter(escrow.arbiter, identities, journal);
      expiryOf(job.expires_at, at);
      const jobDigest = sha256Hex(canonicalJson({ muse: actor, ...job }));
      return {
        ...priceOf(fee, path, settings.serviceWallet),
        things: [{ kind: 'purchase' as const, value: `job/${jobDigest}`, scope: Muse.streamName(actor) }],
        owner: Muse.streamName(actor),
        subject: (escrow ? { escrow: escrow.version } : {}) as JsonObject,
      };
    },
    subjectOf: () => ({}),
    /** The setting of the escrow at the time of the purchase. */
    usesFrom: ({ escrow = null }: JsonObject) => ({
      escrows: { versionOn: () => escrow as EscrowVersion | null },
    }),
    requires: 'fields' as const,
    effect: postingEffect(effect, valuesOf),
  };
}
