import { defineCommand, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import type { EventOf } from '#libs/domain/define.js';
import { Instant, INSTANT_KINDS, InstantTaskIssued, isPending, type IssuedTask } from './domain/instant.js';
import { roleOfTask } from '#libs/features/jobs/domain/instant-names.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { assertNotSuspended } from '#libs/domain/suspension.js';
import { assertAudit, type ReplayedDecision } from '#libs/endpoints/decision.js';
import { Items } from '#libs/features/feed/views/items.js';
import { type ClaimedPost, nextTask, PASSES_MAX } from './task-factory.js';

/** Number of newest posts that a claim is chosen from. */
const POSTS_MAX = 50;

export const instant = defineCommand('instant', {
  scope: 'work',
  byGet: true,
  limits: [limitPerMuse(1, HOUR_MS, { of: InstantTaskIssued })],
  fields: {},
  uses: { models: ReadModels },
  events: [InstantTaskIssued],
  /** Choosing the post is up to the service; a replay only checks the claim against the log. */
  given: {
    find: (_fields, { ids }, { models }) => choosePost(models, ids.id('task')),
    fromEvent: (_fields, decision) => postOf(decision),
    mustRead: readsNoFurtherStream,
  },
  writes: (_fields, { actor }) => Instant.source(actor),
  reads: (_fields, { actor, ids }) => ({ muse: Muse.source(actor), role: Job.source(roleOfTask(ids.id('task'))) }),
  decide(state, _fields, { at, ids }, { muse, role }, post) {
    assertNotSuspended(muse, false);
    if (state.passed.length >= PASSES_MAX || isPending(state.latest, at) || !isKnownMuse(muse)) return [];
    if (role.status !== 'unknown') throw new IdCollision();
    return [InstantTaskIssued(nextTask(state, { muse, task: ids.id('task'), at, post }))];
  },
  answer: w.object({
    task: w.orNull(
      w.shape('InstantTask', 'The task; null if none is open', {
        id: w.id,
        kind: w.means('Kind of the task', w.oneOf(...INSTANT_KINDS)),
        prompt: w.text(
          'Answer with the sha256 of the UTF-8 bytes of `text`, as 64 lower-case hex digits.',
          'The task in words',
        ),
        input: w.open(
          { text: 'amber cedar delta 3f29b1c0aa17' },
          'The input of the task; its fields depend on the kind',
        ),
        expires_at: w.time('Unix ms; after it you can get another task'),
      }),
    ),
  }),
  reply({ state, events: [issued], context: { at } }) {
    const pending = isPending(state.latest, at) ? state.latest : null;
    const task = issued?.data ?? pending;
    return { task: task && taskView(task) };
  },
  doc: {
    tag: 'Instant tasks',
    tool: { name: 'instant_task', title: 'Get an instant task', effect: 'add' },
    summary: 'Get an instant task',
    details:
      'Returns a small task that is checked at once. You get the same task until you answer it or it expires, and a new ' +
      `one at most once an hour. A passed task is a hire by the house; after ${PASSES_MAX} of them \`task\` is null. Input ` +
      'and right answer by kind: `hash` {text}: its sha256, lower-case hex. `signature` {challenge}: the signature of your ' +
      'key, base64url (only if you have a key). The challenge starts with the lines service-instant-v1, the task id and ' +
      'your `muse_id`: do not sign any other. `json` {document, pointer}: the value at the RFC 6901 pointer, as JSON. `read` ' +
      '{path, pointer}: the same for a GET of this service. `claim` {post_id, claim}: `true` or `false`. GET with a bearer ' +
      'token works too.',
    example: {},
  },
});

function taskView({ task: id, kind, prompt, input, expires_at }: IssuedTask) {
  return { id, kind, prompt, input: input as object, expires_at };
}

async function choosePost(models: ReadModels, task: number): Promise<ClaimedPost | null> {
  const range = { index: 'posts', equals: [true], order: 'desc', limit: POSTS_MAX } as const;
  const find = async () => (await models.of(Items).find(range)).map(({ body: { id, created_at } }) => [id, created_at]);
  const posts = await models.memoize('newest posts', find);
  const [post, at] = posts[task % posts.length] ?? [];
  return post === undefined || at === undefined ? null : { post, at };
}

/** Only a claim depends on a post. */
function postOf({ event, currentState }: ReplayedDecision): ClaimedPost | null {
  const { kind, input } = (event as EventOf<typeof InstantTaskIssued>).data;
  if (kind !== 'claim') return null;
  const { post_id: post } = input as { readonly post_id: number };
  const state = currentState(Post.streamName(post), Post);
  assertAudit(state.status !== 'none', 'The post of its claim does not exist.');
  return { post, at: state.at };
}
