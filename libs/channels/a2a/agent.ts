import * as a2a from '@a2a-js/sdk';
import * as errors from '@a2a-js/sdk/errors';
import { type JsonObject, worded } from '#libs/kernel/json.js';
import { paymentHeader } from '#libs/payments/headers.js';
import { actionOf } from './actions.js';
import { findWorkers } from './finding.js';
import { type Jobs, keyOf } from './jobs.js';
import { agentMessage, dataPart, textPart, UNTRUSTED } from './parts.js';
import { offered, receipts, UNDER_WAY } from './payment-metadata.js';
import { X402_EXTENSION } from './protocol.js';
import type { Pushes } from './pushes.js';
import { fieldsIn, jobIn, questionIn, type Said, saidIn, skillOf } from './said.js';
import { ServiceRefused } from './service-calls.js';
import { FIND_WORKERS, FOLLOW_JOB } from './skills.js';
import { isInterrupted, isTerminal } from './task.js';
import type { Unpaid } from './task-names.js';

const HELP =
  'I find workers ("Find translators of French"), and post jobs: say in 10 to 2,000 characters what is to be done. ' +
  'A job is a task, which is followed until it is done.';

const PAYMENT_REQUIRED = 402;

/** What the service does for one caller. */
export class Agent {
  constructor(
    private readonly jobs: Jobs,
    private readonly pushes: Pushes,
  ) {}

  async send({ message, configuration }: a2a.SendMessageRequest): Promise<a2a.Message | a2a.Task> {
    if (!message) throw new errors.RequestMalformedError('message is missing.');
    const said = saidIn(message, configuration);
    if (said.push) this.pushes.check(said.push);
    if (message.taskId !== '') return this.continue(message, said);
    const skill = skillOf(said);
    if (skill === FOLLOW_JOB) return this.follow(await this.get(jobIn(said)), said.push);
    const contextId = message.contextId === '' ? `context-${keyOf(said.messageId)}` : message.contextId;
    if (skill === null) return answer(said, contextId, [textPart(HELP)]);
    if (skill === FIND_WORKERS) return this.find(said, contextId);
    const fields = { task: said.text, ...fieldsIn(said) };
    return this.post(said, { fields, contextId: message.contextId, key: keyOf(said.messageId), push: said.push });
  }

  async get(id: string): Promise<a2a.Task> {
    if (!this.jobs.names.isUnpaidId(id)) return (await this.jobs.get(id)).task;
    const role = await this.jobs.names.roleOf(id);
    if (role !== undefined) return (await this.jobs.get(role)).task;
    const unpaid = await this.unpaid(id);
    if (unpaid.isCanceled) return canceled(unpaid);
    return unpaid.offer ? waiting(unpaid, unpaid.offer) : this.outcome(unpaid);
  }

  async cancel(id: string): Promise<a2a.Task> {
    const task = await this.get(id);
    const role: unknown = task.metadata?.['role'];
    if (isTerminal(task)) throw new errors.TaskNotCancelableError('The task is over.');
    if (typeof role !== 'string') return this.refuse(task);
    if (task.metadata?.['open'] !== true)
      throw new errors.TaskNotCancelableError('Whoever was hired for it goes on; it takes no more applications.');
    const { position } = await this.jobs.do('close', { role }, keyOf(`cancel ${id}`));
    return (await this.jobs.get(role, position)).task;
  }

  /** A task that goes on, told of from here on where the message says where. */
  private async follow(task: a2a.Task, push: Said['push'] | undefined): Promise<a2a.Task> {
    const role: unknown = task.metadata?.['role'];
    if (!push || typeof role !== 'string' || isTerminal(task)) return task;
    await this.pushes.create(role, push);
    // What has changed before it was told of is in the answer.
    return (await this.jobs.get(role)).task;
  }

  private async find(said: Said, contextId: string): Promise<a2a.Message> {
    const query = questionIn(said);
    const { people, next } = await findWorkers(this.jobs.calls, query);
    const names = people.map(({ muse_id, name }) => `${worded(name)} (${worded(muse_id)})`).join(', ');
    const text = people.length === 0 ? 'Nobody was found.' : `Found: ${names}`;
    return answer(said, contextId, [textPart(text, UNTRUSTED), dataPart({ people, next, query }, UNTRUSTED)]);
  }

  /** Posts a job; one that is to be paid first becomes a task that waits for its payment. */
  private async post(said: Said, asked: Omit<Unpaid, 'id' | 'isCanceled'>): Promise<a2a.Task> {
    const { calls, names } = this.jobs;
    const id = names.unpaidId(calls.authorization, said.messageId);
    const unpaid = { ...asked, id, contextId: asked.contextId === '' ? id : asked.contextId, isCanceled: false };
    return this.paying(unpaid, said.payment, asked.contextId);
  }

  /** Asks for the job of a task, with its payment where there is one. `contextId` is the caller's, or empty. */
  private async paying(unpaid: Unpaid, payment: JsonObject | null, contextId = unpaid.contextId): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    const fields = { ...unpaid.fields, ...(payment && { x402_payment: paymentHeader(payment) }) };
    try {
      const { answer: posted, position, headers } = await this.jobs.do('delegate', fields, unpaid.key);
      const role = worded(posted['role']);
      const wasOffered = (await names.unpaid(calls.authorization, unpaid.id)) !== null;
      const own = wasOffered ? unpaid : { id: role, contextId: contextId === '' ? role : contextId };
      if ((await names.roleOf(unpaid.id)) === undefined) await names.name(role, own);
      const task = await this.follow((await this.jobs.get(role, position)).task, unpaid.push);
      return withMetadata(task, receipts(headers), { candidates: posted['candidates'] ?? [] });
    } catch (error) {
      if (!isOffer(error)) throw error;
      const offer = aboutPayment(unpaid, error.code, offered(error));
      await names.keep(calls.authorization, { ...unpaid, offer });
      return waiting(unpaid, offer);
    }
  }

  /** What a payment has come to, also where nobody has waited for that. */
  private async outcome(unpaid: Unpaid): Promise<a2a.Task> {
    try {
      return await this.paying(unpaid, null);
    } catch (error) {
      if (isUnderWay(error)) return submitted(unpaid);
      throw error;
    }
  }

  private async continue({ taskId: id, contextId }: a2a.Message, said: Said): Promise<a2a.Task> {
    const { names } = this.jobs;
    const role = names.isUnpaidId(id) ? await names.roleOf(id) : id;
    const known = role === undefined ? await this.unpaid(id) : (await this.jobs.get(role)).task;
    // A2A 1.0, 3.4.3.
    if (contextId !== '' && contextId !== known.contextId)
      throw new errors.RequestMalformedError('contextId is not that of the task.');
    return 'key' in known ? this.continueUnpaid(known, said) : this.act(known, said);
  }

  private async continueUnpaid(known: Unpaid, said: Said): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    if (known.isCanceled) throw new errors.UnsupportedOperationError('The task is over.');
    if (said.refusesPayment) return this.refuse(await this.get(known.id));
    const { offer: _offer, ...unpaid } = { ...known, push: said.push ?? known.push };
    if (said.payment) {
      // Written down first: whoever asks meanwhile, or after a crash, is told what has become of the payment.
      await names.keep(calls.authorization, unpaid);
      await names.isAbout(calls.authorization, said.messageId, unpaid.id);
    }
    return this.paying(unpaid, said.payment);
  }

  private async act(found: a2a.Task, said: Said): Promise<a2a.Task> {
    const { names, calls } = this.jobs;
    const task = await this.follow(found, said.push);
    const role = worded(task.metadata?.['role']);
    const known = await names.wasAbout(calls.authorization, said.messageId);
    if (known === undefined && isTerminal(task)) throw new errors.UnsupportedOperationError('The task is over.');
    // It paid for the task itself.
    if (known === task.id) return task;
    const action = actionOf(said, task, known);
    if (action === null) return task;
    const { hire = '' } = action.fields;
    await names.isAbout(calls.authorization, said.messageId, worded(hire));
    try {
      const { position, headers } = await this.jobs.do(action.endpoint, action.fields, keyOf(said.messageId));
      return withMetadata((await this.jobs.get(role, position)).task, receipts(headers));
    } catch (error) {
      if (!isOffer(error)) throw error;
      const { parts, metadata } = offered(error);
      return withMessage(task, { parts: [...parts], metadata, extensions: [X402_EXTENSION] });
    }
  }

  private async unpaid(id: string): Promise<Unpaid> {
    const unpaid = await this.jobs.names.unpaid(this.jobs.calls.authorization, id);
    if (!unpaid) throw new errors.TaskNotFoundError('You have no such task.');
    return unpaid;
  }

  /** Ends a task that waits for its payment. */
  private async refuse(task: a2a.Task): Promise<a2a.Task> {
    if (task.metadata?.['role'] !== undefined || !isInterrupted(task))
      throw new errors.TaskNotCancelableError('A payment for it was sent.');
    const unpaid = await this.unpaid(task.id);
    await this.jobs.names.keep(this.jobs.calls.authorization, { ...unpaid, isCanceled: true });
    return canceled(unpaid);
  }
}

const isOffer = (error: unknown): error is ServiceRefused =>
  error instanceof ServiceRefused && error.status === PAYMENT_REQUIRED;

/** The payment of a request is being carried out, or waits for its chain. */
const isUnderWay = (error: unknown) =>
  error instanceof ServiceRefused && (error.code === 'in_progress' || error.code.startsWith('settlement_'));

const answer = ({ messageId }: Said, contextId: string, parts: readonly a2a.Part[]) =>
  agentMessage({ messageId: `answer-${keyOf(messageId)}`, contextId, parts });

const bare = ({ id, contextId }: Unpaid, state: a2a.TaskState, message: a2a.Message | undefined): a2a.Task => ({
  id,
  contextId,
  status: { state, message, timestamp: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
});

const aboutPayment = ({ id: taskId, contextId }: Unpaid, code: string, said: ReturnType<typeof offered>) =>
  agentMessage({ ...said, messageId: `${taskId}-${code}`, taskId, contextId, extensions: [X402_EXTENSION] });

const waiting = (unpaid: Unpaid, offer: a2a.Message) => bare(unpaid, a2a.TaskState.TASK_STATE_INPUT_REQUIRED, offer);

const submitted = (unpaid: Unpaid) =>
  bare(unpaid, a2a.TaskState.TASK_STATE_WORKING, aboutPayment(unpaid, 'payment_submitted', UNDER_WAY));

const canceled = (unpaid: Unpaid) => bare(unpaid, a2a.TaskState.TASK_STATE_CANCELED, undefined);

function withMessage(task: a2a.Task, said: Partial<a2a.Message>): a2a.Task {
  const { status } = task;
  return { ...task, status: status && { ...status, message: status.message && { ...status.message, ...said } } };
}

/** With what a payment has come to in the message of its status (x402 extension). */
function withMetadata(task: a2a.Task, metadata: JsonObject | undefined, more: JsonObject = {}): a2a.Task {
  const whole = { ...task, metadata: { ...task.metadata, ...more } };
  return metadata ? withMessage(whole, { metadata, extensions: [X402_EXTENSION] }) : whole;
}
