import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Task } from '@a2a-js/sdk';
import type { Task as TaskOfService } from '#libs/client/operations.generated.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { encodePaymentHeader } from '#libs/payments/payment-headers.js';
import type { UserMessage } from './user-message.js';

/** A request to the service that carries out a message. */
export interface TaskAction {
  readonly endpoint: string;
  readonly fields: JsonObject;
}

const AWAITING_POSTER = new Set<Hire['status']>(['delivered', 'unpaid']);

/** A text must be exactly one command: a longer text may mean the opposite. */
const HIRE_TEXT = /^hire\s+((?:agent|muse)_[a-z0-9]{1,40})(?:\s+(\d{1,12}(?:\.\d{1,6})?))?[.!]?$/i;
const ACCEPT_TEXT = /^accept(?:ed)?(?:\s+(\d{1,16}))?[.!]?$/i;
const REVISE_TEXT = /^revise\s+(\S[\s\S]*)$/i;
const PAY_TEXT = /^pay(?:\s+(\d{1,16}))?[.!]?$/i;
const CLOSE_TEXT = /^(?:close|cancel)[.!]?$/i;

/** Null if the message requests no action. `previousHire`: the hire of an earlier delivery of the same message. */
export function parseTaskAction(
  { text, data, payment }: UserMessage,
  task: Task,
  previousHire?: string,
): TaskAction | null {
  const role = String(task.metadata?.['role']);
  const { hire: worker, accept, revise, pay, close, ...more } = data;
  const [, museIdInText, wageInText] = HIRE_TEXT.exec(text) ?? [];
  const museId = worker ?? museIdInText;
  if (museId !== undefined) {
    const wage = 'wage' in more || 'wage_usd' in more ? undefined : (wageInText ?? wageOf(task, museId));
    const fields = { ...more, ...payloadField(payment), role, to: museId };
    return { endpoint: 'hire', fields: { ...fields, ...(wage !== undefined && { wage_usd: wage }) } };
  }
  const [accepted, acceptedHire = previousHire] = ACCEPT_TEXT.exec(text) ?? [];
  if (accept !== undefined || accepted !== undefined)
    return {
      endpoint: 'accept',
      fields: { ...more, hire: resolveHire(task, readArgument('accept', accept), acceptedHire) },
    };
  const [revised, revision] = REVISE_TEXT.exec(text) ?? [];
  if (revise !== undefined || revised !== undefined) {
    const hire = resolveHire(task, readArgument('revise', revise), previousHire);
    return { endpoint: 'revise', fields: { ...more, hire, ...(revision !== undefined && { text: revision }) } };
  }
  const [paid, paidHire = previousHire] = PAY_TEXT.exec(text) ?? [];
  if (payment !== null || pay !== undefined || paid !== undefined) {
    const hire = resolveHire(task, readArgument('pay', pay), paidHire);
    return { endpoint: 'pay', fields: { ...more, ...payloadField(payment), hire } };
  }
  const reason = readArgument('close', close);
  if (close !== undefined || CLOSE_TEXT.test(text))
    return { endpoint: 'close', fields: { role, ...(reason !== undefined && { reason }) } };
  return null;
}

/** The field of a request that has a payment. */
export const payloadField = (payment: JsonObject | null): JsonObject =>
  payment === null ? {} : { x402_payment: encodePaymentHeader(payment) };

/** Reads the value of `accept`, `revise`, `pay` or `close`: a value or `true`. Throws for anything that may mean no. */
function readArgument(name: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === true) return undefined;
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return String(value);
  throw new RequestMalformedError(`\`${name}\` must be ${name === 'close' ? 'a reason' : 'the id of a hire'} or true.`);
}

type Hire = TaskOfService['hires'][number];
type Application = TaskOfService['applications'][number];

/** Values of a list in the data of a task's message. */
function listIn<T>(task: Task, name: string): readonly T[] {
  const parts = task.status?.message?.parts ?? [];
  return parts.flatMap(({ content }) =>
    content?.$case === 'data' ? ((content.value as { readonly [name: string]: readonly T[] })[name] ?? []) : [],
  );
}

/** The wage of an applicant as the task shows it, in US dollars. */
function wageOf(task: Task, museId: Json): string | undefined {
  const { budget } = (task.metadata ?? {}) as { readonly budget?: TaskOfService['role']['budget'] };
  const application = listIn<Application>(task, 'applications').find(({ muse_id }) => muse_id === museId);
  return budget && application ? (application.ask ?? budget).usd : undefined;
}

/** Returns the named hire, or else the only one that awaits its poster. */
function resolveHire(task: Task, inData: string | undefined, inText: string | undefined): string {
  const hire = inData ?? inText;
  if (hire !== undefined) return hire;
  const pending = listIn<Hire>(task, 'hires')
    .filter(({ status }) => AWAITING_POSTER.has(status))
    .map(({ hire }) => hire);
  if (pending.length === 1) return String(pending[0]);
  throw new RequestMalformedError(
    pending.length === 0
      ? 'No hire of this task can be accepted or paid now.'
      : `Name the hire. Send one of ${pending.join(', ')}.`,
  );
}
