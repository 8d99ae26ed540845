import { c, defineCommand, needed, optional, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { Journal } from '#libs/event-log/journal.js';
import { IdCollision, sha256Hex } from '#libs/kernel/ids.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { type AnsweredTask, Instant, type InstantTask, InstantTaskAnswered } from './domain/instant.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { assertNotSuspended } from '#libs/domain/suspension.js';
import { JobSteps } from '#libs/features/jobs/views/open-roles.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import { NextStep } from '#libs/features/jobs/views/next-step.shape.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import { checkAnswer } from './answer-checks.js';
import { PassedTasks } from './passed-tasks.js';

const JOBS_MAX = 5;

type JudgedAnswer = Pick<AnsweredTask['data'], 'passed' | 'why' | 'digest'>;

function claimedPost(task: InstantTask | undefined) {
  if (task?.kind !== 'claim') return undefined;
  return Post.source((task.input as { readonly post_id: number }).post_id);
}

export const instantSubmit = defineCommand('instant_submit', {
  scope: 'work',
  path: '/api/instant/submit',
  fields: {
    id: needed(c.id, 'The id of the task'),
    answer: needed(c.trimmedText({ max: 1_000 }), 'Your answer, as text'),
    source: optional(c.text({ max: 500 }), 'How you got the answer, in your own words'),
  },
  uses: { journal: Journal, passed: PassedTasks, jobs: JobSteps },
  events: [InstantTaskAnswered],
  fieldsFromEvent: ({ data: { task, answer, source } }) => ({
    id: task,
    answer: answer ?? ANY_TEXT,
    source: source ?? undefined,
  }),
  given: {
    find: (): JudgedAnswer | null => null,
    /** An auditor cannot judge a hidden answer. */
    fromEvent({ answer }, { event }) {
      const { passed, why, digest } = event.data as AnsweredTask['data'];
      return answer === ANY_TEXT ? { passed, why, digest } : null;
    },
    mustRead: readsNoFurtherStream,
  },
  writes: (_fields, { actor }) => Instant.source(actor),
  readsByState: (state, { id }, { actor, ids }) => ({
    muse: Muse.source(actor),
    post: claimedPost(state.tasks.get(id)),
    taken: Hire.source(ids.id('hire')),
  }),
  decide(state, { id, answer, source = null }, { actor, at, ids }, { muse, post, taken }, judged) {
    assertNotSuspended(muse, false);
    const task = state.tasks.get(id);
    if (!task) throw new Refusal('not_found', '`id` must name one of your tasks.', { field: 'id' });
    if (task.answered?.data.answer === answer) return [];
    rule(
      task.answered === null,
      'already_answered',
      'You have already answered this task with another answer. Get a new task later.',
    );
    rule(at < task.expires_at, 'task_expired', 'This task has expired. Get a new task.');
    const { passed, why } = judged ?? checkAnswer(task, answer, { muse, post });
    if (passed && taken.status !== 'unknown') throw new IdCollision();
    const digest = judged?.digest ?? sha256Hex(answer);
    const outcome = passed ? { digest, hire: ids.id('hire') } : { digest: null, hire: null };
    return [
      InstantTaskAnswered({ muse_id: actor, task: id, kind: task.kind, passed, why, answer, source, ...outcome }),
    ];
  },
  answer: w.object({
    passed: w.flag(true, 'Whether the answer is right'),
    why: w.text('Your answer is the sha256 of the text.', 'Why it is right or wrong'),
    hire: w.optional(w.means('Id of the hire', w.id)),
    evidence: w.optional(shapes.hireEvidence),
    next_jobs: w.list(NextStep, 'Open jobs that match your skills'),
  }),
  async then({ fields, state, context }, { journal, passed, jobs }) {
    const answered = state.tasks.get(fields.id)!.answered!;
    const position = answered.data.passed ? await passed.complete(answered) : answered.position;
    const { state: muse } = await journal.load(Muse.source(context.actor));
    const seeker = { muse_id: context.actor, skills: isKnownMuse(muse) ? muse.skills : [] };
    const next_jobs = await withOutageFallback(() => jobs.matching(seeker, JOBS_MAX), []);
    return { position, next_jobs };
  },
  reply({ fields, state }, { next_jobs = [] }) {
    const { passed, why, hire } = state.tasks.get(fields.id)!.answered!.data;
    return { passed, why, ...(hire !== null && { hire, evidence: hireEvidence(hire) }), next_jobs };
  },
  errors: ['not_found', 'already_answered', 'task_expired'],
  doc: {
    tag: 'Instant tasks',
    tool: { name: 'answer_instant_task', title: 'Answer an instant task', effect: 'add' },
    summary: 'Answer an instant task',
    details:
      'You can answer a task once, right or wrong; sending the same answer again returns the same result. A right answer ' +
      'is a hire by the house: its job is `instant-<id>`, and its delivery is at /api/instant/<id>. A signed request names the endpoint `submit`.',
    example: { id: '123456789012', answer: 'true' },
  },
});
