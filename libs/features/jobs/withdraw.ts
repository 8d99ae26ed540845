import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { rule } from '#libs/kernel/refusal.js';
import { Application } from './domain/application.js';
import { assertJobExists, Job, isOpenApplication, Withdrawn } from './domain/job.js';
import { EXAMPLE_ROLE } from './job-terms.js';

/** Decided in the job's stream like hiring, so a withdrawn application cannot be hired. */
export const withdraw = defineCommand('withdraw', {
  scope: 'work',
  fields: { role: needed(c.slug, 'The slug of the job') },
  events: [Withdrawn],
  writes: ({ role }) => Job.source(role),
  reads: ({ role }, { actor }) => ({ application: Application.source(role, actor) }),
  decide(job, _fields, { actor }, { application }) {
    assertJobExists(job);
    rule(isOpenApplication(job, application), 'not_an_applicant', 'You have no open application for this job.');
    const { role, poster } = job;
    return [Withdrawn({ role, muse_id: actor, poster, application: application.item })];
  },
  answer: w.object({ withdrawn: w.flag(true, 'The application is withdrawn') }),
  reply: () => ({ withdrawn: true }),
  errors: ['not_found', 'not_an_applicant'],
  doc: { tag: 'Jobs', tool: null, summary: 'Withdraw your application', example: { role: EXAMPLE_ROLE } },
});
