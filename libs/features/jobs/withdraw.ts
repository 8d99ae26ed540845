import { needed } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job, stillApplies, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { verb } from '#libs/endpoints/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { EXAMPLE_ROLE } from './job-terms.js';

/** In the job's stream, where hiring is decided too: a muse cannot be hired on what it has withdrawn. */
export const withdraw = verb('withdraw', {
  who: 'joined',
  fields: { role: needed(c.slug, 'What was applied for') },
  events: [Withdrawn],
  writes: ({ role }) => Job.of(role),
  reads: ({ role }, { actor }) => ({ application: Application.of(role, actor) }),
  decide(job, _fields, { actor }, { application }) {
    if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
    rule(stillApplies(job, application), 'not_an_applicant', 'You have no open application for this role.');
    const { role, poster } = job;
    return [Withdrawn({ role, muse_id: actor, poster, application: application.item })];
  },
  answer: w.object({ withdrawn: w.flag() }),
  reply: () => ({ withdrawn: true }),
  errors: ['not_found', 'not_an_applicant'],
  doc: { tag: 'Jobs', tool: null, summary: 'Withdraw an application', example: { role: EXAMPLE_ROLE } },
});
