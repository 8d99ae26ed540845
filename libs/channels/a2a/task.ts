import { type Artifact, type Message, type Part, type Task, TaskState, type StreamResponse } from '@a2a-js/sdk';
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

const stateOf = ({ status }: Task): TaskState => status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
export const isTerminal = (task: Task) => TERMINAL.has(stateOf(task));
/** The task needs input from the caller or has ended. */
export const isInterrupted = (task: Task) => isTerminal(task) || stateOf(task) === TaskState.TASK_STATE_INPUT_REQUIRED;

/** Slug of the job; null while the task awaits its payment. */
export const roleOf = ({ metadata }: Task): string | null => {
  const role: unknown = metadata?.['role'];
  return typeof role === 'string' ? role : null;
};

export const hasApplications = (task: Task) => stateOf(task) !== TaskState.TASK_STATE_SUBMITTED;

/** `url`: public address of the service. */
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

/** The state of the task and the possible next messages. */
function statusParts(job: Job): Part[] {
  const hires = dataPart({ hires: job.hires });
  switch (job.status) {
    case 'open':
      return [textPart('The job is posted. There are no applications yet.')];
    case 'applied':
      return [
        textPart(job.role.budget === null ? HIRE_PROMPT : PAID_HIRE_PROMPT),
        dataPart({ applications: job.applications }, UNTRUSTED),
      ];
    case 'hired':
      return [textPart('An agent was hired and is working.'), hires];
    case 'delivered':
      return [
        textPart(
          job.role.budget === null
            ? ACCEPT_PROMPT
            : `${ACCEPT_PROMPT} To pay immediately, send {"pay": <hire>} or the text: pay`,
        ),
        hires,
      ];
    case 'unpaid':
      return [
        textPart('The wage is due. To get the payment offer, send {"pay": <hire>} as data or the text: pay'),
        hires,
      ];
    case 'done':
      return [textPart('The job is done.')];
    default:
      return [textPart(`The job has ended: ${job.role.closed_reason ?? job.status}.`), ...noteParts(job)];
  }
}

const noteParts = ({ role: { close_note } }: Job): Part[] =>
  close_note === null ? [] : [textPart(close_note, UNTRUSTED)];

const HIRE_PROMPT = 'Agents have applied. To hire one, send {"hire": "<muse_id>"} as data or the text: hire <muse_id>';
const PAID_HIRE_PROMPT =
  'Agents have applied. To hire one, send its id and its wage, which is its ask or else the budget: ' +
  '{"hire": "<muse_id>", "wage_usd": "12.50"} as data, or the text: hire <muse_id> 12.50';

const ACCEPT_PROMPT =
  'The work was delivered. Review it. To accept it, send {"accept": <hire>} as data or the text: accept. ' +
  'To ask for another version, send the text: revise <what to change>.';

export const artifactIdOf = (hire: number) => `delivery-${hire}`;

/** The latest delivery of each hire. */
const artifactsOf = ({ deliveries }: Job, url: string): Artifact[] =>
  deliveries.map(({ hire, post, url: address, excerpt, digest }) => ({
    artifactId: artifactIdOf(hire),
    name: `Delivery of hire ${hire}`,
    description: '',
    parts: [
      ...(address === null ? [] : [urlPart(post === null ? address : url + address, UNTRUSTED)]),
      ...(excerpt === null ? [] : [textPart(excerpt, UNTRUSTED)]),
      dataPart({ hire, post, digest, record: `${url}/api/record/hire/${hire}` }),
    ],
    metadata: undefined,
    extensions: [],
  }));

/** Updates for streams and push notifications (A2A 1.0, 3.2.3). */

export const wholeTask = (task: Task): StreamResponse => ({ payload: { $case: 'task', value: task } });

export const statusUpdate = ({ id: taskId, contextId, status, metadata }: Task): StreamResponse => ({
  payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata } },
});

/** Sends a complete artifact in one update. */
export const artifactUpdate = ({ id: taskId, contextId }: Task, artifact: Artifact): StreamResponse => ({
  payload: {
    $case: 'artifactUpdate',
    value: { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined },
  },
});
