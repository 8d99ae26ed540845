import type { StreamResponse, Task } from '@a2a-js/sdk';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { TaskSnapshot, Jobs } from './jobs.js';
import { hasApplications, isInterrupted, isTerminal } from './task.js';
import { artifactUpdate, statusUpdate, wholeTask } from './updates.js';

/** How long one stream lasts at most; whoever wants to see more subscribes again. */
const STREAM_MS_MAX = 10 * MINUTE_MS;
/** How long one wait for events takes. */
const WAIT_SECONDS = 20;
/** How long it rests behind each change, so that a busy poster costs a stream no more than 20 looks a minute. */
const PAUSE_MS = 3 * SECOND_MS;

/** How long a stream waits for the first application: its poster may have gone, and can subscribe again. */
const QUIET_MS_MAX = MINUTE_MS;

const EVENTS = { method: 'GET', path: '/api/events' } as const;

/** Streams a task and its changes until it is over, quiet for too long, or the stream has lasted long enough. */
export async function* streamTask(jobs: Jobs, role: string): AsyncGenerator<StreamResponse> {
  const found = await jobs.get(role);
  yield wholeTask(found.task);
  yield* streamChanges(jobs, role, found, isTerminal);
}

/** The same, also until the task waits for its caller. */
export async function* streamUntilInterrupted(jobs: Jobs, task: Task): AsyncGenerator<StreamResponse> {
  yield wholeTask(task);
  const role: unknown = task.metadata?.['role'];
  if (typeof role !== 'string' || isInterrupted(task)) return;
  const found = await jobs.get(role);
  yield* diffTasks(task, found.task);
  yield* streamChanges(jobs, role, found, isInterrupted);
}

async function* streamChanges(
  jobs: Jobs,
  role: string,
  { task: first, poster, position }: TaskSnapshot,
  isEnd: (task: Task) => boolean,
): AsyncGenerator<StreamResponse> {
  const { signal } = jobs.calls;
  const until = Date.now() + STREAM_MS_MAX;
  let [task, after, changedAt] = [first, position, Date.now()];
  while (!isEnd(task) && !signal.aborted) {
    const endsAt = hasApplications(task) ? until : Math.min(until, changedAt + QUIET_MS_MAX);
    const leftSeconds = Math.ceil((endsAt - Date.now()) / SECOND_MS);
    if (leftSeconds <= 0) return;
    const query = { muse_id: poster ?? '', after, wait: String(Math.min(leftSeconds, WAIT_SECONDS)) };
    const { answer } = await jobs.calls.ask<{ events: readonly unknown[]; next: string }>({ ...EVENTS, query });
    after = answer.next;
    if (answer.events.length === 0) continue;
    const next = (await jobs.get(role, after)).task;
    const changes = [...diffTasks(task, next)];
    if (changes.length > 0) changedAt = Date.now();
    yield* changes;
    task = next;
    if (!isEnd(task)) await pause(PAUSE_MS, undefined, { signal });
  }
}

/** What has changed between two looks at a task: deliveries first, so that they are there when it is done. */
function* diffTasks(before: Task, after: Task): Generator<StreamResponse> {
  const known = new Set(before.artifacts.map(artifact => JSON.stringify(artifact)));
  for (const artifact of after.artifacts)
    if (!known.has(JSON.stringify(artifact))) yield artifactUpdate(after, artifact);
  if (JSON.stringify(before.status) !== JSON.stringify(after.status)) yield statusUpdate(after);
}
