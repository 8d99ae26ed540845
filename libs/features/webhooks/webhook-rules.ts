import { IdTaken } from '#libs/kernel/ids.js';
import { fieldRules, Refusal, rule } from '#libs/kernel/refusal.js';
import type { FailureReason } from '#libs/safe-fetch/failure.js';
import { assertReadable } from '#libs/safe-fetch/words.js';
import { type Hook, hookOf, live, type Webhooks } from '#libs/streams/webhook.js';
import { publicTypes } from './subscription.js';

/** How many hooks of one form a muse has at once. */
export const HOOKS_MAX = { standard: 5, a2a: 20 } as const satisfies { readonly [form in Hook['form']]: number };

/** What the public events that an A2A push configuration is told of are about its role. */
export const PUSHED_TYPES = [
  'JobPosted',
  'JobUpdated',
  'JobClosed',
  'Hired',
  'Delivered',
  'Accepted',
  'Disputed',
  'DisputeWithdrawn',
  'Paid',
  'HireEnded',
];

interface Asked {
  readonly url?: string;
  readonly events?: readonly string[];
  /** A muse_id. */
  readonly about?: string | undefined;
  readonly role?: string;
}

/** What one more hook is told of, and where. */
export function newHook(
  hooks: Webhooks,
  asked: Asked,
  { form, webhook, fault }: { form: Hook['form']; webhook: number; fault: FailureReason | null },
) {
  const { url, events = null, about = null, role = null } = asked;
  const narrows = about === null || publicTypes(events ?? []).length > 0;
  fieldRules(
    [url !== undefined, 'url', 'url is needed.', 'missing'],
    [narrows, 'about', 'about narrows public events; events names none.', 'conflicting'],
    [(form === 'a2a') === (role !== null), 'role', 'role goes with the form a2a, and with no other.', 'conflicting'],
  );
  assertReadable('url', fault);
  const most = HOOKS_MAX[form];
  const own = live(hooks).filter(hook => hook.form === form);
  if (own.length >= most)
    throw new Refusal('too_many_webhooks', `There are ${most} webhooks already, which is as many as there may be.`);
  if (hookOf(hooks, webhook)) throw new IdTaken();
  return form === 'a2a'
    ? { form, url: url!, events: PUSHED_TYPES, about: role }
    : { form, url: url!, events: events && [...events], about };
}

/** A hook of one’s own, of a form, that has not stopped. */
export function liveHook(hooks: Webhooks, form: Hook['form'], webhook: number | undefined): Hook {
  const hook = anyHook(hooks, form, webhook);
  rule(hook.stopped === null, 'webhook_stopped', 'The webhook has stopped, for good.');
  return hook;
}

/** A hook of one’s own, of a form, whether it has stopped or not. */
export function anyHook(hooks: Webhooks, form: Hook['form'], webhook: number | undefined): Hook {
  fieldRules([webhook !== undefined, 'id', 'id is needed.', 'missing']);
  const hook = hookOf(hooks, webhook!);
  rule(hook?.form === form, 'not_found', 'There is no such webhook.', { field: 'id' });
  return hook;
}
