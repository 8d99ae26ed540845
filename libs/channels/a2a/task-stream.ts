import type { StreamResponse, Task } from '@a2a-js/sdk';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { TaskSnapshot, Jobs } from './jobs.js';
import { hasApplications, isInterrupted, isTerminal, roleOf, artifactUpdate, statusUpdate, wholeTask } from './task.js';

/** Maximum duration of a stream. Clients can subscribe again. */
const STREAM_MAX_MS = 10 * MINUTE_MS;
/** Duration of one long poll. */
const WAIT_SECONDS = 20;
/** Pause after each change: at most 20 reads a minute for a busy poster. */
const PAUSE_MS = 3 * SECOND_MS;

/** Maximum wait for the first application. */
const QUIET_MAX_MS = MINUTE_MS;

const EVENTS = { method: 'GET', path: '/api/events' } as const;

export async function* streamTask(jobs: Jobs, role: string): AsyncGenerator<StreamResponse> {
  const snapshot = await jobs.get(role);
  yield wholeTask(snapshot.task);
  yield* streamChanges(jobs, role, snapshot, isTerminal);
}

/** Also ends when the task needs input from the caller. */
export async function* streamUntilInterrupted(jobs: Jobs, task: Task): AsyncGenerator<StreamResponse> {
  yield wholeTask(task);
  const role = roleOf(task);
  if (role === null || isInterrupted(task)) return;
  const snapshot = await jobs.get(role);
  yield* diffTasks(task, snapshot.task);
  yield* streamChanges(jobs, role, snapshot, isInterrupted);
}

async function* streamChanges(
  jobs: Jobs,
  role: string,
  { task: first, poster, position }: TaskSnapshot,
  isEnd: (task: Task) => boolean,
): AsyncGenerator<StreamResponse> {
  const { signal } = jobs.calls;
  const until = Date.now() + STREAM_MAX_MS;
  let [task, after, changedAt] = [first, position, Date.now()];
  while (!isEnd(task) && !signal.aborted) {
    const endsAt = hasApplications(task) ? until : Math.min(until, changedAt + QUIET_MAX_MS);
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

/** Yields deliveries before the status, so that a client has them when the task ends. */
function* diffTasks(before: Task, after: Task): Generator<StreamResponse> {
  const previous = new Set(before.artifacts.map(artifact => JSON.stringify(artifact)));
  for (const artifact of after.artifacts)
    if (!previous.has(JSON.stringify(artifact))) yield artifactUpdate(after, artifact);
  if (JSON.stringify(before.status) !== JSON.stringify(after.status)) yield statusUpdate(after);
}
