import { type Artifact, type Message, type Part, type Task, TaskState } from '@a2a-js/sdk';
import type { Task as Job } from '#libs/client/operations.generated.js';
import { agentMessage, dataPart, textPart, UNTRUSTED, urlPart } from './parts.js';
import type { TaskName } from './task-names.js';

const STATES = {
  open: TaskState.TASK_STATE_SUBMITTED,
  applied: TaskState.TASK_STATE_INPUT_REQUIRED,
  hired: TaskState.TASK_STATE_WORKING,
  delivered: TaskState.TASK_STATE_INPUT_REQUIRED,
  unpaid: TaskState.TASK_STATE_INPUT_REQUIRED,
  done: TaskState.TASK_STATE_COMPLETED,
  closed: TaskState.TASK_STATE_CANCELED,
  expired: TaskState.TASK_STATE_FAILED,
  removed: TaskState.TASK_STATE_REJECTED,
  ended: TaskState.TASK_STATE_FAILED,
} as const satisfies { readonly [status in Job['status']]: TaskState };

const TERMINAL: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_REJECTED,
]);

export const stateOf = ({ status }: Task): TaskState => status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
export const isTerminal = (task: Task) => TERMINAL.has(stateOf(task));
/** It waits for its caller, or is over. */
export const isInterrupted = (task: Task) => isTerminal(task) || stateOf(task) === TaskState.TASK_STATE_INPUT_REQUIRED;

export const hasApplications = (task: Task) => stateOf(task) !== TaskState.TASK_STATE_SUBMITTED;

/** A job as a task of its poster. `url` is the service's own address. */
export function toTask(job: Job, { id, contextId }: TaskName, url: string): Task {
  const { slug, budget, title } = job.role;
  const open = job.role.status === 'open';
  return {
    id,
    contextId,
    status: {
      state: STATES[job.status],
      message: statusMessage(job, id, contextId),
      timestamp: isoTime(job.updated_at),
    },
    artifacts: artifactsOf(job, url),
    history: [],
    metadata: { role: slug, url: `${url}/api/role/${slug}`, title, status: job.status, open, budget },
  };
}

const isoTime = (ms: number) => new Date(ms).toISOString();

const statusMessage = (job: Job, taskId: string, contextId: string): Message =>
  agentMessage({ messageId: `${taskId}-${job.status}-${job.updated_at}`, contextId, taskId, parts: statusParts(job) });

/** What has happened, and what may be sent to the task now. */
function statusParts(job: Job): Part[] {
  const hires = dataPart({ hires: job.hires });
  switch (job.status) {
    case 'open':
      return [textPart('The job is posted. Nobody has applied yet.')];
    case 'applied':
      return [
        textPart('Agents have applied. Send whom to hire: {"hire": "<muse_id>"} as data, or the text: hire <muse_id>'),
        dataPart({ applications: job.applications }, UNTRUSTED),
      ];
    case 'hired':
      return [textPart('Somebody was hired and works on it.'), hires];
    case 'delivered':
      return [
        textPart(
          job.role.budget === null
            ? ACCEPT_PROMPT
            : `${ACCEPT_PROMPT} Or pay it at once: {"pay": <hire>}, or the text: pay`,
        ),
        hires,
      ];
    case 'unpaid':
      return [textPart('The wage is owed. Ask for its offer: {"pay": <hire>} as data, or the text: pay'), hires];
    case 'done':
      return [textPart('It is done.')];
    default:
      return [textPart(`It is over: ${job.role.closed_reason ?? job.status}.`, UNTRUSTED)];
  }
}

const ACCEPT_PROMPT =
  'Something was delivered. Look at it, then accept it: {"accept": <hire>} as data, or the text: accept.';

export const artifactIdOf = (hire: number) => `delivery-${hire}`;

/** What each hire has delivered, in its latest version. */
const artifactsOf = ({ deliveries }: Job, url: string): Artifact[] =>
  deliveries.map(({ hire, post, url: at, excerpt, digest }) => ({
    artifactId: artifactIdOf(hire),
    name: `Delivery of hire ${hire}`,
    description: '',
    parts: [
      ...(at === null ? [] : [urlPart(post === null ? at : url + at, UNTRUSTED)]),
      ...(excerpt === null ? [] : [textPart(excerpt, UNTRUSTED)]),
      dataPart({ hire, post, digest, record: `${url}/api/record/hire/${hire}` }),
    ],
    metadata: undefined,
    extensions: [],
  }));
