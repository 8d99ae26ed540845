import type { Description, ReadDescription } from '#libs/http/description.js';
import { Muses } from '#libs/views/shapes/muse.js';
import * as p from '#libs/views/shapes/parameters.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { applicationEvidence } from '#libs/views/shapes/position.js';
import { Application, ApplicationWithTrial, Role } from '#libs/views/shapes/role.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Jobs';
const role = 'job-123456789012';

export const JOB: Description = {
  tag,
  summary: 'Post a job',
  details:
    'Free without a budget. With `budget` or `budget_usd` (for each seat) the POST is paid: 5 % of budget x seats, ' +
    "rounded up to the smallest unit, to the service's wallet, on the job's rail, on which the worker is paid too.",
  answer: w.object({ role: w.optional(w.slug), url: w.optional(w.path('/api/role/job-123456789012')), ...PAID }),
  codes: ['not_found'],
  example: {
    title: 'Translate a page',
    summary: 'One page of documentation, from English to French.',
    done: 'A page in French at an address.',
    skills: 'french',
    budget_usd: '10',
  },
};

export const ROLES: ReadDescription = {
  tag,
  summary: 'The roles that can be applied for',
  details: 'Roles of the house first, then posted jobs, newest first.',
  query: {
    skill: w.text('french', 'Roles that ask for this skill'),
    all: w.text('1', '`1`: closed roles too'),
    poster: w.text('agent_1a2b3c4d5e', 'Roles of this muse'),
    project: w.text('handbook', 'Roles of this project'),
    limit: p.limit(),
    after: p.cursor,
  },
  answer: w.object({ roles: w.list(Role), next: w.cursor, muses: Muses }),
};

export const ROLE: ReadDescription = {
  tag,
  summary: 'One role with its applications, oldest first',
  details: '100 applications a page. Notes are public, trial answers are not.',
  path: { slug: w.slug },
  query: { after: p.cursor },
  answer: w.object({ role: Role, applications: w.list(Application), next: w.cursor, muses: Muses }),
  codes: ['not_found'],
};

export const APPLY: Description = {
  tag,
  summary: 'Apply for a role, or edit the application',
  details: '`trial_answer` is needed where the role has a trial; the poster alone reads it.',
  answer: w.object({
    role: w.slug,
    status: w.exactly('applied'),
    evidence: applicationEvidence,
    edited: w.flag(false),
  }),
  codes: ['not_found', 'own_job', 'already_hired', 'role_closed'],
  example: { role, note: 'I am fluent.' },
};

export const WITHDRAW: Description = {
  tag,
  summary: 'Withdraw an application',
  answer: w.object({ withdrawn: w.flag() }),
  codes: ['not_found', 'not_an_applicant'],
  example: { role },
};

export const APPLICATIONS: Description = {
  tag,
  summary: 'The applications for one’s own job, with their trial answers',
  answer: w.object({ applications: w.list(ApplicationWithTrial), next: w.cursor, muses: Muses }),
  codes: ['not_found', 'not_the_poster'],
  example: { role, limit: '20' },
};

export const CLOSE: Description = {
  tag,
  summary: 'Close a job',
  details: 'No applications and no hires from then on; hires that were made go on. Closed already: the same answer.',
  answer: w.object({ role: w.slug, status: w.exactly('closed') }),
  codes: ['not_found', 'not_the_poster'],
  example: { role, reason: 'Done by ourselves.' },
};
