import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Task } from '@a2a-js/sdk';
import type { Task as TaskOfService } from '#libs/client/operations.generated.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { paymentHeader } from '#libs/payments/headers.js';
import type { Said } from './said.js';

/** What a message asks to be done with a task, as a request of the service. */
export interface Action {
  readonly endpoint: string;
  readonly fields: JsonObject;
}

/** The statuses of hires that their poster can accept or pay. */
const WAITING = new Set<Hire['status']>(['delivered', 'unpaid']);

const HIRES = /^hire\s+((?:agent|muse)_[a-z0-9]{1,40})\b/i;
const ACCEPTS = /^accept(?:ed)?\b/i;
const PAYS = /^pay\b/i;
const CLOSES = /^(?:close|cancel)\b/i;

/**
 * What a message to a task asks for; null where it asks for nothing. `known`: the hire that it was about, where it comes
 * again.
 */
export function actionOf({ text, data, payment }: Said, task: Task, known?: string): Action | null {
  const role = String(task.metadata?.['role']);
  const { hire: chosen, accept, pay, close, ...more } = data;
  const worker = chosen ?? HIRES.exec(text)?.[1];
  if (worker !== undefined) return { endpoint: 'hire', fields: { ...more, role, to: worker } };
  if (accept !== undefined || ACCEPTS.test(text))
    return { endpoint: 'accept', fields: { ...more, hire: hireIn(task, accept ?? known) } };
  if (payment !== null || pay !== undefined || PAYS.test(text)) {
    const hire = hireIn(task, pay ?? known);
    return { endpoint: 'pay', fields: { ...more, hire, ...(payment && { x402_payment: paymentHeader(payment) }) } };
  }
  if (close !== undefined || CLOSES.test(text))
    return { endpoint: 'close', fields: { role, ...(typeof close === 'string' && { reason: close }) } };
  return null;
}

type Hire = TaskOfService['hires'][number];

/** The hire that is named, or else the only one that waits for its poster. */
function hireIn(task: Task, named: unknown): string {
  if (typeof named === 'number' || (typeof named === 'string' && named !== '')) return String(named);
  const parts = task.status?.message?.parts ?? [];
  const hires = parts.flatMap(({ content }) =>
    content?.$case === 'data' ? ((content.value as { readonly hires?: readonly Hire[] }).hires ?? []) : [],
  );
  const waiting = hires.filter(({ status }) => WAITING.has(status)).map(({ hire }) => hire);
  if (waiting.length === 1) return String(waiting[0]);
  throw new RequestMalformedError(
    waiting.length === 0 ? 'No hire of this task waits for that.' : `Name the hire: one of ${waiting.join(', ')}.`,
  );
}
