import { valuesOf } from '#libs/checks/fields.js';
import { Journal } from '#libs/event-log/journal.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { IdTaken, sha256Hex } from '#libs/kernel/ids.js';
import { FEE_PERCENT } from '#libs/kernel/money.js';
import { rule } from '#libs/kernel/refusal.js';
import { perMuse } from '#libs/limits/limit.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { RAILS } from '#libs/payments/rails.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';
import { Job, JobPosted } from '#libs/streams/job.js';
import { Muse } from '#libs/streams/muse.js';
import { isIn, isOpenProject, Project } from '#libs/streams/project.js';
import type { Deciding } from '#libs/verbs/acting.js';
import { shown } from '#libs/verbs/decision.js';
import { deed } from '#libs/verbs/sale.js';
import { verb } from '#libs/verbs/verb.js';
import { PAID } from '#libs/views/shapes/payment.js';
import * as w from '#libs/views/shapes/words.js';
import { EXAMPLE_ROLE, expiryOf, type Fee, feeOf, jobFields, type JobValues, PRICED_BY, termsOf } from './job-terms.js';

const PATH = '/api/job';

type Paid = Pick<Fee, 'budget'> & { readonly payment: string };
const FREE = { budget: null, payment: null };

/** A job under a slug that is derived from the request. */
function posted(job: Job, said: JobValues, { ids, at, actor }: Deciding, paid: Paid | typeof FREE) {
  const { project = null, again_of = null } = said;
  const expires_at = expiryOf(said.expires_at, at);
  if (job.status !== 'unknown') throw new IdTaken();
  const made = { role: ids.slug('job'), item: ids.item('job'), poster: actor };
  return [JobPosted({ ...made, ...termsOf(said), ...paid, project, again_of, expires_at })];
}

/** Posts a job whose fee has been paid. */
const jobEffect = deed('job-effect', {
  events: [JobPosted],
  writes: (_payment, { ids }) => Job.of(ids.slug('job')),
  decide(job, { accepted: { data } }, deciding) {
    const said = valuesOf(jobFields, shown(data.fields));
    const fee = feeOf(said, RAILS);
    return fee ? posted(job, said, deciding, { budget: fee.budget, payment: data.payment }) : [];
  },
});

/** The fee as it is offered. */
const priceOf = ({ amount, rail, budget }: Fee, payTo: string) => ({
  path: PATH,
  description: `The ${FEE_PERCENT} % fee of a job that pays ${budget.usd} ${budget.token} for each seat`,
  amount,
  payTo,
  rails: [rail],
});

interface Named {
  readonly again?: Job | undefined;
  readonly project?: Project | undefined;
}

/** What the job refers to must be there, and its project one's own. */
function assertNamed({ again, project }: Named, actor: string): void {
  rule(project?.status !== 'unknown', 'not_found', 'There is no such project.', { field: 'project' });
  rule(again?.status !== 'unknown', 'not_found', 'There is no such role.', { field: 'again_of' });
  if (project === undefined) return;
  rule(isIn(project, actor), 'not_a_member', 'One posts jobs for a project that one is in.', { field: 'project' });
  rule(isOpenProject(project), 'project_closed', `The project is ${project.status}.`, { field: 'project' });
}

/** Before there were projects. */
function decideWithoutProjects(job: Job, fields: JobValues, deciding: Deciding, { again }: Named) {
  const facts = posted(job, fields, deciding, FREE);
  rule(fields.project === undefined, 'not_found', 'There is no such project.', { field: 'project' });
  assertNamed({ again }, deciding.actor);
  return facts;
}

const namedIn = ({ again_of, project }: JobValues) => ({
  again: again_of === undefined ? undefined : Job.of(again_of),
  project: project === undefined ? undefined : Project.of(project),
});

const answerOf = (role: string) => ({ role, url: `/api/role/${role}` });

const title = 'Translate a page';
const doneLine = 'A page in French at an address.';

export const job = verb('job', {
  who: 'joined',
  limits: [perMuse(10, DAY_MS)],
  version: 2,
  older: [{ version: 1, decide: decideWithoutProjects }],
  fields: jobFields,
  refusesSlips: true,
  uses: { journal: Journal, settings: PaymentSettings },
  events: [JobPosted],
  writes: (_fields, { ids }) => Job.of(ids.slug('job')),
  reads: fields => namedIn(fields),
  decide(job, fields, deciding, named) {
    const facts = posted(job, fields, deciding, FREE);
    assertNamed(named, deciding.actor);
    return facts;
  },
  answer: w.object({ role: w.optional(w.slug), url: w.optional(w.path(`/api/role/${EXAMPLE_ROLE}`)), ...PAID }),
  reply: ({ events }) => ({ ...answerOf(events[0]!.data.role), paid: false }),
  errors: ['not_found', 'not_a_member', 'project_closed', 'unknown_field'],
  doc: {
    tag: 'Jobs',
    summary: 'Post a job',
    details:
      `Free without a budget. With \`budget\` or \`budget_usd\` (for each seat) the POST is paid: ${FEE_PERCENT} % of ` +
      "budget x seats, rounded up to the smallest unit, to the service's wallet, on the job's rail, on which the worker is paid too.",
    example: {
      title,
      summary: 'One page of documentation, from English to French.',
      done: doneLine,
      skills: 'french',
      budget_usd: '10',
    },
  },
  sale: {
    isFree: ({ budget, budget_usd }) => !budget && !budget_usd,
    pricedBy: PRICED_BY,
    sample: {
      request: { title, summary: 'One page of documentation, English to French.', done: doneLine, budget_usd: '10' },
      answer: { ok: true, ...answerOf(EXAMPLE_ROLE), paid: true },
    },
    price(fields, { settings }) {
      const fee = feeOf(fields, settings.rails);
      return fee && priceOf(fee, settings.serviceWallet);
    },
    async purchase(fields, { actor, at }, { journal, settings }) {
      const fee = feeOf(fields, settings.rails)!;
      expiryOf(fields.expires_at, at);
      const { again, project } = namedIn(fields);
      const named = {
        again: again && (await journal.load(again)).state,
        project: project && (await journal.load(project)).state,
      };
      assertNamed(named, actor);
      const purchased = sha256Hex(canonicalJson({ muse: actor, ...fields }));
      return {
        ...priceOf(fee, settings.serviceWallet),
        things: [{ kind: 'purchase', value: `job/${purchased}` }],
        owner: Muse.named(actor),
        subject: {},
      };
    },
    // The texts were erased while the payment was under way: there is nothing left to post.
    isVoid: ({ accepted }) => (accepted.data.fields === null ? 'forgotten' : null),
    deed: jobEffect,
    reply: ({ events }) => answerOf(events[0]!.data.role),
  },
});
