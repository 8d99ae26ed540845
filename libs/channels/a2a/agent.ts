import * as a2a from '@a2a-js/sdk';
import * as errors from '@a2a-js/sdk/errors';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { parseTaskAction, payloadField } from './task-actions.js';
import { findWorkers } from './worker-search.js';
import { type Jobs, idempotencyKeyOf } from './jobs.js';
import { agentMessage, dataPart, textPart, UNTRUSTED } from './parts.js';
import { paymentRequired, paymentReceipts, PAYMENT_SUBMITTED } from './payment-metadata.js';
import { X402_EXTENSION } from './protocol.js';
import type { PushConfigs, PushRequest } from './push-configs.js';
import {
  requestFieldsIn,
  jobSlugIn,
  searchQueryIn,
  type UserMessage,
  parseUserMessage,
  skillOf,
} from './user-message.js';
import { ServiceRefusal } from './service-calls.js';
import { FIND_WORKERS, FOLLOW_JOB } from './agent-card.js';
import { isInterrupted, isTerminal, roleOf } from './task.js';
import type { UnpaidTask } from './task-names.js';

const HELP =
  'I find workers ("Find translators of French") and post jobs: describe the job in 10 to 2,000 characters. Each job ' +
  'becomes a task that you can follow until it is done.';

const PAYMENT_REQUIRED = 402;

/** Carries out A2A requests of one caller. */
export class Agent {
  constructor(
    private readonly jobs: Jobs,
    private readonly pushes: PushConfigs,
  ) {}

  async send({ message, configuration }: a2a.SendMessageRequest): Promise<a2a.Message | a2a.Task> {
    if (!message) throw new errors.RequestMalformedError('`message` is missing.');
    const config = configuration?.taskPushNotificationConfig;
    const input = { ...parseUserMessage(message), push: config ? await this.pushes.checkBeforeJob(config) : null };
    if (message.taskId !== '') return this.continueTask(message, input);
    const skill = skillOf(input);
    if (skill === FOLLOW_JOB) return this.subscribeToPush(await this.get(jobSlugIn(input)), input.push);
    const contextId = message.contextId === '' ? `context-${idempotencyKeyOf(input.messageId)}` : message.contextId;
    if (skill === null) return replyMessage(input, contextId, [textPart(HELP)]);
    if (skill === FIND_WORKERS) return this.searchWorkers(input, contextId);
    const fields = { task: input.text, ...requestFieldsIn(input) };
    return this.postJob(input, {
      fields,
      contextId: message.contextId,
      key: idempotencyKeyOf(input.messageId),
      push: input.push,
    });
  }

  async get(id: string): Promise<a2a.Task> {
    if (!this.jobs.names.isUnpaidId(id)) return (await this.jobs.get(id)).task;
    const role = await this.jobs.names.roleOf(id);
    if (role !== undefined) return (await this.jobs.get(role)).task;
    const unpaid = await this.loadUnpaid(id);
    if (unpaid.isCanceled) return canceledTask(unpaid);
    return unpaid.offer ? unpaidTask(unpaid, unpaid.offer) : this.checkPayment(unpaid);
  }

  async cancel(id: string): Promise<a2a.Task> {
    const task = await this.get(id);
    const role = roleOf(task);
    if (isTerminal(task)) throw new errors.TaskNotCancelableError('The task has ended.');
    if (role === null) return this.cancelUnpaid(task);
    if (task.metadata?.['open'] !== true)
      throw new errors.TaskNotCancelableError(
        'The job is closed for applications, and its hires continue. You cannot cancel it.',
      );
    const { position } = await this.jobs.callEndpoint('close', { role }, idempotencyKeyOf(`cancel ${id}`));
    return (await this.jobs.get(role, position)).task;
  }

  /** Adds the push configuration of a message to a task that is still open. */
  private async subscribeToPush(task: a2a.Task, push: PushRequest | null | undefined): Promise<a2a.Task> {
    const role = roleOf(task);
    if (!push || role === null || isTerminal(task)) return task;
    await this.pushes.create(role, push);
    // Read again: the task may have changed before the configuration existed.
    return (await this.jobs.get(role)).task;
  }

  private async searchWorkers(input: UserMessage, contextId: string): Promise<a2a.Message> {
    const query = searchQueryIn(input);
    const { people, next } = await findWorkers(this.jobs.calls, query);
    const names = people.map(({ muse_id, name }) => `${toText(name)} (${toText(muse_id)})`).join(', ');
    const text = people.length === 0 ? 'No workers found.' : `Found: ${names}`;
    return replyMessage(input, contextId, [textPart(text, UNTRUSTED), dataPart({ people, next, query }, UNTRUSTED)]);
  }

  /** Posts a job. A job that must be paid first becomes a task that awaits its payment. */
  private async postJob(input: UserMessage, job: Omit<UnpaidTask, 'id' | 'isCanceled'>): Promise<a2a.Task> {
    const { calls, names } = this.jobs;
    const id = names.unpaidId(calls.authorization, input.messageId);
    const unpaid = { ...job, id, contextId: job.contextId === '' ? id : job.contextId, isCanceled: false };
    return this.requestJob(unpaid, input.payment, job.contextId);
  }

  /** Requests the job of a task, with its payment if there is one. `contextId` is the caller's, or empty. */
  private async requestJob(
    unpaid: UnpaidTask,
    payment: JsonObject | null,
    contextId = unpaid.contextId,
  ): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    const fields = { ...unpaid.fields, ...payloadField(payment) };
    try {
      const { answer: posted, position, headers } = await this.jobs.callEndpoint('delegate', fields, unpaid.key);
      const role = toText(posted['role']);
      const wasOffered = (await names.findUnpaid(calls.authorization, unpaid.id)) !== null;
      const name = wasOffered ? unpaid : { id: role, contextId: contextId === '' ? role : contextId };
      if ((await names.roleOf(unpaid.id)) === undefined) await names.saveName(role, name);
      const task = await this.subscribeToPush((await this.jobs.get(role, position)).task, unpaid.push);
      return withMetadata(task, paymentReceipts(headers), { candidates: posted['candidates'] ?? [] });
    } catch (error) {
      if (!isPaymentRequired(error)) throw error;
      const offer = paymentMessage(unpaid, error.code, paymentRequired(error));
      await names.saveUnpaid(calls.authorization, { ...unpaid, offer });
      return unpaidTask(unpaid, offer);
    }
  }

  /** Requests the job again to learn the outcome of a payment that no client waited for. */
  private async checkPayment(unpaid: UnpaidTask): Promise<a2a.Task> {
    try {
      return await this.requestJob(unpaid, null);
    } catch (error) {
      if (isPaymentPending(error)) return submittedTask(unpaid);
      throw error;
    }
  }

  private async continueTask({ taskId: id, contextId }: a2a.Message, input: UserMessage): Promise<a2a.Task> {
    const { names } = this.jobs;
    const role = names.isUnpaidId(id) ? await names.roleOf(id) : id;
    const task = role === undefined ? await this.loadUnpaid(id) : (await this.jobs.get(role)).task;
    // A2A 1.0, 3.4.3.
    if (contextId !== '' && contextId !== task.contextId)
      throw new errors.RequestMalformedError('`contextId` does not belong to this task.');
    return 'key' in task ? this.continueUnpaid(task, input) : this.performAction(task, input);
  }

  private async continueUnpaid(task: UnpaidTask, input: UserMessage): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    if (task.isCanceled) throw new errors.UnsupportedOperationError('The task has ended.');
    if (input.refusesPayment) return this.cancelUnpaid(await this.get(task.id));
    const { offer: _offer, ...unpaid } = { ...task, push: input.push ?? task.push };
    if (input.payment) {
      // Stored first, so that requests during the payment or after a crash see its state.
      await names.saveUnpaid(calls.authorization, unpaid);
      await names.saveHireOfMessage(calls.authorization, input.messageId, unpaid.id);
    }
    return this.requestJob(unpaid, input.payment);
  }

  private async performAction(before: a2a.Task, input: UserMessage): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    const task = await this.subscribeToPush(before, input.push);
    const role = roleOf(task)!;
    const previousHire = await names.findHireOfMessage(calls.authorization, input.messageId);
    if (previousHire === undefined && isTerminal(task))
      throw new errors.UnsupportedOperationError('The task has ended.');
    // The repeated message paid for the task itself.
    if (previousHire === task.id) return task;
    const action = parseTaskAction(input, task, previousHire);
    if (action === null) return task;
    const { hire = '' } = action.fields;
    await names.saveHireOfMessage(calls.authorization, input.messageId, toText(hire));
    try {
      const { position, headers } = await this.jobs.callEndpoint(
        action.endpoint,
        action.fields,
        idempotencyKeyOf(input.messageId),
      );
      return withMetadata((await this.jobs.get(role, position)).task, paymentReceipts(headers));
    } catch (error) {
      if (!isPaymentRequired(error)) throw error;
      const command = action.endpoint === 'hire' ? `hire ${toText(action.fields['to'])}` : undefined;
      const { parts, metadata } = paymentRequired(error, command);
      return withMessage(task, { parts: [...parts], metadata, extensions: [X402_EXTENSION] });
    }
  }

  private async loadUnpaid(id: string): Promise<UnpaidTask> {
    const unpaid = await this.jobs.names.findUnpaid(this.jobs.calls.authorization, id);
    if (!unpaid) throw new errors.TaskNotFoundError('You have no task with this id.');
    return unpaid;
  }

  /** Cancels a task that awaits its payment. */
  private async cancelUnpaid(task: a2a.Task): Promise<a2a.Task> {
    if (roleOf(task) !== null || !isInterrupted(task))
      throw new errors.TaskNotCancelableError('A payment for this task was already sent.');
    const unpaid = await this.loadUnpaid(task.id);
    await this.jobs.names.saveUnpaid(this.jobs.calls.authorization, { ...unpaid, isCanceled: true });
    return canceledTask(unpaid);
  }
}

const isPaymentRequired = (error: unknown): error is ServiceRefusal =>
  error instanceof ServiceRefusal && error.status === PAYMENT_REQUIRED;

/** The payment is in progress or awaits its chain. */
const isPaymentPending = (error: unknown) =>
  error instanceof ServiceRefusal && (error.code === 'in_progress' || error.code.startsWith('settlement_'));

const replyMessage = ({ messageId }: UserMessage, contextId: string, parts: readonly a2a.Part[]) =>
  agentMessage({ messageId: `answer-${idempotencyKeyOf(messageId)}`, contextId, parts });

const buildTask = (
  { id, contextId }: UnpaidTask,
  state: a2a.TaskState,
  message: a2a.Message | undefined,
): a2a.Task => ({
  id,
  contextId,
  status: { state, message, timestamp: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
});

const paymentMessage = (
  { id: taskId, contextId }: UnpaidTask,
  code: string,
  notice: ReturnType<typeof paymentRequired>,
) => agentMessage({ ...notice, messageId: `${taskId}-${code}`, taskId, contextId, extensions: [X402_EXTENSION] });

const unpaidTask = (unpaid: UnpaidTask, offer: a2a.Message) =>
  buildTask(unpaid, a2a.TaskState.TASK_STATE_INPUT_REQUIRED, offer);

const submittedTask = (unpaid: UnpaidTask) =>
  buildTask(unpaid, a2a.TaskState.TASK_STATE_WORKING, paymentMessage(unpaid, 'payment_submitted', PAYMENT_SUBMITTED));

const canceledTask = (unpaid: UnpaidTask) => buildTask(unpaid, a2a.TaskState.TASK_STATE_CANCELED, undefined);

function withMessage(task: a2a.Task, change: Partial<a2a.Message>): a2a.Task {
  const { status } = task;
  return { ...task, status: status && { ...status, message: status.message && { ...status.message, ...change } } };
}

/** Puts the outcome of a payment into the status message (x402 extension). */
function withMetadata(task: a2a.Task, metadata: JsonObject | undefined, more: JsonObject = {}): a2a.Task {
  const updated = { ...task, metadata: { ...task.metadata, ...more } };
  return metadata ? withMessage(updated, { metadata, extensions: [X402_EXTENSION] }) : updated;
}
