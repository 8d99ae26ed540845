import * as a2a from '@a2a-js/sdk';
import * as errors from '@a2a-js/sdk/errors';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { encodePaymentHeader } from '#libs/payments/payment-headers.js';
import { parseTaskAction } from './task-actions.js';
import { findWorkers } from './worker-search.js';
import { type Jobs, idempotencyKeyOf } from './jobs.js';
import { agentMessage, dataPart, textPart, UNTRUSTED } from './parts.js';
import { paymentRequired, paymentReceipts, PAYMENT_SUBMITTED } from './payment-metadata.js';
import { X402_EXTENSION } from './protocol.js';
import type { PushConfigs } from './push-configs.js';
import {
  requestFieldsIn,
  jobSlugIn,
  searchQueryIn,
  type UserMessage,
  parseUserMessage,
  skillOf,
} from './user-message.js';
import { ServiceRefusal } from './service-calls.js';
import { FIND_WORKERS, FOLLOW_JOB } from './skills.js';
import { isInterrupted, isTerminal } from './task.js';
import type { UnpaidTask } from './task-names.js';

const HELP =
  'I find workers ("Find translators of French"), and post jobs: say in 10 to 2,000 characters what is to be done. ' +
  'A job is a task, which is followed until it is done.';

const PAYMENT_REQUIRED = 402;

/** What the service does for one caller. */
export class Agent {
  constructor(
    private readonly jobs: Jobs,
    private readonly pushes: PushConfigs,
  ) {}

  async send({ message, configuration }: a2a.SendMessageRequest): Promise<a2a.Message | a2a.Task> {
    if (!message) throw new errors.RequestMalformedError('message is missing.');
    const said = parseUserMessage(message, configuration);
    if (said.push) this.pushes.check(said.push);
    if (message.taskId !== '') return this.continueTask(message, said);
    const skill = skillOf(said);
    if (skill === FOLLOW_JOB) return this.subscribeToPush(await this.get(jobSlugIn(said)), said.push);
    const contextId = message.contextId === '' ? `context-${idempotencyKeyOf(said.messageId)}` : message.contextId;
    if (skill === null) return replyMessage(said, contextId, [textPart(HELP)]);
    if (skill === FIND_WORKERS) return this.searchWorkers(said, contextId);
    const fields = { task: said.text, ...requestFieldsIn(said) };
    return this.postJob(said, {
      fields,
      contextId: message.contextId,
      key: idempotencyKeyOf(said.messageId),
      push: said.push,
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
    const role: unknown = task.metadata?.['role'];
    if (isTerminal(task)) throw new errors.TaskNotCancelableError('The task is over.');
    if (typeof role !== 'string') return this.cancelUnpaid(task);
    if (task.metadata?.['open'] !== true)
      throw new errors.TaskNotCancelableError('Whoever was hired for it goes on; it takes no more applications.');
    const { position } = await this.jobs.callEndpoint('close', { role }, idempotencyKeyOf(`cancel ${id}`));
    return (await this.jobs.get(role, position)).task;
  }

  /** A task that goes on, told of from here on where the message says where. */
  private async subscribeToPush(task: a2a.Task, push: UserMessage['push'] | undefined): Promise<a2a.Task> {
    const role: unknown = task.metadata?.['role'];
    if (!push || typeof role !== 'string' || isTerminal(task)) return task;
    await this.pushes.create(role, push);
    // What has changed before it was told of is in the answer.
    return (await this.jobs.get(role)).task;
  }

  private async searchWorkers(said: UserMessage, contextId: string): Promise<a2a.Message> {
    const query = searchQueryIn(said);
    const { people, next } = await findWorkers(this.jobs.calls, query);
    const names = people.map(({ muse_id, name }) => `${toText(name)} (${toText(muse_id)})`).join(', ');
    const text = people.length === 0 ? 'Nobody was found.' : `Found: ${names}`;
    return replyMessage(said, contextId, [textPart(text, UNTRUSTED), dataPart({ people, next, query }, UNTRUSTED)]);
  }

  /** Posts a job; one that is to be paid first becomes a task that waits for its payment. */
  private async postJob(said: UserMessage, asked: Omit<UnpaidTask, 'id' | 'isCanceled'>): Promise<a2a.Task> {
    const { calls, names } = this.jobs;
    const id = names.unpaidId(calls.authorization, said.messageId);
    const unpaid = { ...asked, id, contextId: asked.contextId === '' ? id : asked.contextId, isCanceled: false };
    return this.requestJob(unpaid, said.payment, asked.contextId);
  }

  /** Asks for the job of a task, with its payment where there is one. `contextId` is the caller's, or empty. */
  private async requestJob(
    unpaid: UnpaidTask,
    payment: JsonObject | null,
    contextId = unpaid.contextId,
  ): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    const fields = { ...unpaid.fields, ...(payment && { x402_payment: encodePaymentHeader(payment) }) };
    try {
      const { answer: posted, position, headers } = await this.jobs.callEndpoint('delegate', fields, unpaid.key);
      const role = toText(posted['role']);
      const wasOffered = (await names.findUnpaid(calls.authorization, unpaid.id)) !== null;
      const own = wasOffered ? unpaid : { id: role, contextId: contextId === '' ? role : contextId };
      if ((await names.roleOf(unpaid.id)) === undefined) await names.saveName(role, own);
      const task = await this.subscribeToPush((await this.jobs.get(role, position)).task, unpaid.push);
      return withMetadata(task, paymentReceipts(headers), { candidates: posted['candidates'] ?? [] });
    } catch (error) {
      if (!isPaymentRequired(error)) throw error;
      const offer = paymentMessage(unpaid, error.code, paymentRequired(error));
      await names.saveUnpaid(calls.authorization, { ...unpaid, offer });
      return unpaidTask(unpaid, offer);
    }
  }

  /** What a payment has come to, also where nobody has waited for that. */
  private async checkPayment(unpaid: UnpaidTask): Promise<a2a.Task> {
    try {
      return await this.requestJob(unpaid, null);
    } catch (error) {
      if (isPaymentPending(error)) return submittedTask(unpaid);
      throw error;
    }
  }

  private async continueTask({ taskId: id, contextId }: a2a.Message, said: UserMessage): Promise<a2a.Task> {
    const { names } = this.jobs;
    const role = names.isUnpaidId(id) ? await names.roleOf(id) : id;
    const known = role === undefined ? await this.loadUnpaid(id) : (await this.jobs.get(role)).task;
    // A2A 1.0, 3.4.3.
    if (contextId !== '' && contextId !== known.contextId)
      throw new errors.RequestMalformedError('contextId is not that of the task.');
    return 'key' in known ? this.continueUnpaid(known, said) : this.performAction(known, said);
  }

  private async continueUnpaid(known: UnpaidTask, said: UserMessage): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    if (known.isCanceled) throw new errors.UnsupportedOperationError('The task is over.');
    if (said.refusesPayment) return this.cancelUnpaid(await this.get(known.id));
    const { offer: _offer, ...unpaid } = { ...known, push: said.push ?? known.push };
    if (said.payment) {
      // Written down first: whoever asks meanwhile, or after a crash, is told what has become of the payment.
      await names.saveUnpaid(calls.authorization, unpaid);
      await names.saveHireOfMessage(calls.authorization, said.messageId, unpaid.id);
    }
    return this.requestJob(unpaid, said.payment);
  }

  private async performAction(found: a2a.Task, said: UserMessage): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    const task = await this.subscribeToPush(found, said.push);
    const role = toText(task.metadata?.['role']);
    const known = await names.findHireOfMessage(calls.authorization, said.messageId);
    if (known === undefined && isTerminal(task)) throw new errors.UnsupportedOperationError('The task is over.');
    // It paid for the task itself.
    if (known === task.id) return task;
    const action = parseTaskAction(said, task, known);
    if (action === null) return task;
    const { hire = '' } = action.fields;
    await names.saveHireOfMessage(calls.authorization, said.messageId, toText(hire));
    try {
      const { position, headers } = await this.jobs.callEndpoint(
        action.endpoint,
        action.fields,
        idempotencyKeyOf(said.messageId),
      );
      return withMetadata((await this.jobs.get(role, position)).task, paymentReceipts(headers));
    } catch (error) {
      if (!isPaymentRequired(error)) throw error;
      const { parts, metadata } = paymentRequired(error);
      return withMessage(task, { parts: [...parts], metadata, extensions: [X402_EXTENSION] });
    }
  }

  private async loadUnpaid(id: string): Promise<UnpaidTask> {
    const unpaid = await this.jobs.names.findUnpaid(this.jobs.calls.authorization, id);
    if (!unpaid) throw new errors.TaskNotFoundError('You have no such task.');
    return unpaid;
  }

  /** Ends a task that waits for its payment. */
  private async cancelUnpaid(task: a2a.Task): Promise<a2a.Task> {
    if (task.metadata?.['role'] !== undefined || !isInterrupted(task))
      throw new errors.TaskNotCancelableError('A payment for it was sent.');
    const unpaid = await this.loadUnpaid(task.id);
    await this.jobs.names.saveUnpaid(this.jobs.calls.authorization, { ...unpaid, isCanceled: true });
    return canceledTask(unpaid);
  }
}

const isPaymentRequired = (error: unknown): error is ServiceRefusal =>
  error instanceof ServiceRefusal && error.status === PAYMENT_REQUIRED;

/** The payment of a request is being carried out, or waits for its chain. */
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
  said: ReturnType<typeof paymentRequired>,
) => agentMessage({ ...said, messageId: `${taskId}-${code}`, taskId, contextId, extensions: [X402_EXTENSION] });

const unpaidTask = (unpaid: UnpaidTask, offer: a2a.Message) =>
  buildTask(unpaid, a2a.TaskState.TASK_STATE_INPUT_REQUIRED, offer);

const submittedTask = (unpaid: UnpaidTask) =>
  buildTask(unpaid, a2a.TaskState.TASK_STATE_WORKING, paymentMessage(unpaid, 'payment_submitted', PAYMENT_SUBMITTED));

const canceledTask = (unpaid: UnpaidTask) => buildTask(unpaid, a2a.TaskState.TASK_STATE_CANCELED, undefined);

function withMessage(task: a2a.Task, said: Partial<a2a.Message>): a2a.Task {
  const { status } = task;
  return { ...task, status: status && { ...status, message: status.message && { ...status.message, ...said } } };
}

/** With what a payment has come to in the message of its status (x402 extension). */
function withMetadata(task: a2a.Task, metadata: JsonObject | undefined, more: JsonObject = {}): a2a.Task {
  const whole = { ...task, metadata: { ...task.metadata, ...more } };
  return metadata ? withMessage(whole, { metadata, extensions: [X402_EXTENSION] }) : whole;
}
