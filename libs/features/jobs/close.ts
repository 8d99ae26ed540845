import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { rule } from '#libs/kernel/refusal.js';
import { assertJobExists, closeJob, Job, JobClosed } from './domain/job.js';
import { actingIdentities, callerOf } from '#libs/features/identity/domain/muse-rules.js';
import { EXAMPLE_ROLE } from './job-terms.js';

export const close = defineCommand('close', {
  scope: 'work',
  fields: {
    role: needed(c.slug, 'The slug of the job to close'),
    reason: optional(c.text({ max: 600 }), 'Why you close it; public, as `close_note`'),
  },
  events: [JobClosed],
  fieldsFromEvent: ({ data: { role, note } }) => ({ role, reason: note ?? undefined }),
  writes: ({ role }) => Job.source(role),
  reads: callerOf,
  decide(job, { reason }, { actor, at }, { own }) {
    assertJobExists(job);
    const isOwn = actingIdentities(actor, own).includes(resolvePosterId(job.poster));
    rule(isOwn, 'not_the_poster', 'You can only close your own jobs.');
    return closeJob(job, at, 'closed', reason ?? null);
  },
  answer: w.object({ role: w.slug, status: w.literal('closed', 'The job is closed') }),
  reply: ({ fields: { role } }) => ({ role, status: 'closed' }),
  errors: ['not_found', 'not_the_poster'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'close_job', title: 'Close my job', effect: 'replaceOnce' },
    summary: 'Close a job',
    details:
      'A closed job takes no applications and no hires; existing hires continue. A filled job can be closed too: then a ' +
      'seat that is freed later does not open it again. Closing a closed job again changes nothing.',
    example: { role: EXAMPLE_ROLE, reason: 'Done by ourselves.' },
  },
});
