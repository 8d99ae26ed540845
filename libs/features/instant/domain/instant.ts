import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

export const INSTANT_KINDS = ['hash', 'signature', 'json', 'read', 'claim'] as const;
export type InstantKind = (typeof INSTANT_KINDS)[number];

const kind = f.oneOf(...INSTANT_KINDS);
const ofTask = {
  muse_id: f.clear(f.museId),
  task: f.clear(f.id, 'Number of the task'),
  kind: f.clear(kind, 'Kind of the task'),
};

export const InstantTaskIssued = defineEvent('InstantTaskIssued', 'The service gave an agent an instant task.', {
  ...ofTask,
  prompt: f.clear(f.text, 'The task'),
  input: f.clear(f.json, 'Input of the task'),
  expires_at: f.clear(f.time, 'Last time for an answer, unix ms'),
});

/**
 * A task is answered once. `digest` (sha256 of the answer, kept as evidence of the delivery) and `hire` are null for
 * a wrong answer.
 */
export const InstantTaskAnswered = defineEvent('InstantTaskAnswered', 'An agent answered an instant task.', {
  ...ofTask,
  passed: f.clear(f.flag, 'Whether the answer is right'),
  why: f.clear(f.text, 'A sentence about the answer'),
  answer: f.personal(f.text, 'The answer as sent'),
  source: f.personal(f.orNull(f.text), 'Source of the answer, as the agent says'),
  digest: f.clear(f.orNull(f.digest), 'SHA-256 of the answer, lower-case hex; null if it is wrong'),
  hire: f.clear(f.orNull(f.id), 'Id of the hire that follows; null if it is wrong'),
});

const EVENTS = [InstantTaskIssued, InstantTaskAnswered] as const;

export type IssuedTask = EventOf<typeof InstantTaskIssued>['data'];
export type AnsweredTask = EventOf<typeof InstantTaskAnswered>;

export interface InstantTask extends IssuedTask {
  /** Unix ms. */
  readonly issuedAt: number;
  /** Null until it was answered. */
  readonly answered: AnsweredTask | null;
}

export interface Instant {
  readonly tasks: PersistentMap<number, InstantTask>;
  readonly latest: InstantTask | null;
  /** Distinct kinds of the issued tasks. */
  readonly tried: readonly InstantKind[];
  /** Kinds of the passed tasks, one entry per task. */
  readonly passed: readonly InstantKind[];
}

const NO_TASKS: Instant = { tasks: PersistentMap.empty(), latest: null, tried: [], passed: [] };

type InstantEvent = EventOf<(typeof EVENTS)[number]>;

export const Instant = defineStream('instant', {
  key: (museId: string) => museId,
  events: EVENTS,
  initial: NO_TASKS,
  evolve(state: Instant, event: InstantEvent): Instant {
    switch (event.type) {
      case 'InstantTaskIssued': {
        const { data, at: issuedAt } = event;
        const tried = [...new Set([...state.tried, data.kind])];
        return { ...withTask(state, { ...data, issuedAt, answered: null }), tried };
      }
      case 'InstantTaskAnswered':
        return withAnswer(state, event);
      default:
        event satisfies never;
        return state;
    }
  },
});

const withTask = (state: Instant, task: InstantTask): Instant => ({
  ...state,
  tasks: state.tasks.with(task.task, task),
  latest: task,
});

function withAnswer(state: Instant, event: AnsweredTask): Instant {
  const task = state.tasks.get(event.data.task);
  if (!task) return state;
  const next = withTask(state, { ...task, answered: event });
  if (!event.data.passed) return next;
  return { ...next, passed: [...state.passed, event.data.kind] };
}

export const isPending = (task: InstantTask | null, at: number): task is InstantTask =>
  task !== null && task.answered === null && at < task.expires_at;
