import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Task } from '@a2a-js/sdk';
import type { Task as TaskOfService } from '#libs/client/operations.generated.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { encodePaymentHeader } from '#libs/payments/payment-headers.js';
import type { UserMessage } from './user-message.js';

/** What a message asks to be done with a task, as a request of the service. */
export interface TaskAction {
  readonly endpoint: string;
  readonly fields: JsonObject;
}

/** The statuses of hires that their poster can accept or pay. */
const AWAITING_POSTER = new Set<Hire['status']>(['delivered', 'unpaid']);

/** A text says one thing alone, as a task's message asks for it: whoever says more may mean the opposite. */
const HIRE_TEXT = /^hire\s+((?:agent|muse)_[a-z0-9]{1,40})[.!]?$/i;
const ACCEPT_TEXT = /^accept(?:ed)?(?:\s+(\d{1,16}))?[.!]?$/i;
const PAY_TEXT = /^pay(?:\s+(\d{1,16}))?[.!]?$/i;
const CLOSE_TEXT = /^(?:close|cancel)[.!]?$/i;

/**
 * What a message to a task asks for; null where it asks for nothing. `known`: the hire that it was about, where it comes
 * again.
 */
export function parseTaskAction({ text, data, payment }: UserMessage, task: Task, known?: string): TaskAction | null {
  const role = String(task.metadata?.['role']);
  const { hire: chosen, accept, pay, close, ...more } = data;
  const worker = chosen ?? HIRE_TEXT.exec(text)?.[1];
  if (worker !== undefined) return { endpoint: 'hire', fields: { ...more, role, to: worker } };
  const [accepted, acceptedOne = known] = ACCEPT_TEXT.exec(text) ?? [];
  if (accept !== undefined || accepted !== undefined)
    return {
      endpoint: 'accept',
      fields: { ...more, hire: resolveHire(task, readArgument('accept', accept), acceptedOne) },
    };
  const [paid, paidOne = known] = PAY_TEXT.exec(text) ?? [];
  if (payment !== null || pay !== undefined || paid !== undefined) {
    const hire = resolveHire(task, readArgument('pay', pay), paidOne);
    return {
      endpoint: 'pay',
      fields: { ...more, hire, ...(payment && { x402_payment: encodePaymentHeader(payment) }) },
    };
  }
  const reason = readArgument('close', close);
  if (close !== undefined || CLOSE_TEXT.test(text))
    return { endpoint: 'close', fields: { role, ...(reason !== undefined && { reason }) } };
  return null;
}

/** What stands in a data part as `accept`, `pay` or `close`: which one, or `true`. Throws for what may mean no. */
function readArgument(what: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === true) return undefined;
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return String(value);
  throw new RequestMalformedError(`${what} must be ${what === 'close' ? 'a reason' : 'a hire'}, or true.`);
}

type Hire = TaskOfService['hires'][number];

/** The hire that is named, in a data part or in a text, or else the only one that waits for its poster. */
function resolveHire(task: Task, inData: string | undefined, inText: string | undefined): string {
  const chosen = inData ?? inText;
  if (chosen !== undefined) return chosen;
  const parts = task.status?.message?.parts ?? [];
  const hires = parts.flatMap(({ content }) =>
    content?.$case === 'data' ? ((content.value as { readonly hires?: readonly Hire[] }).hires ?? []) : [],
  );
  const waiting = hires.filter(({ status }) => AWAITING_POSTER.has(status)).map(({ hire }) => hire);
  if (waiting.length === 1) return String(waiting[0]);
  throw new RequestMalformedError(
    waiting.length === 0 ? 'No hire of this task waits for that.' : `Name the hire: one of ${waiting.join(', ')}.`,
  );
}
