import { IdCollision } from '#libs/kernel/ids.js';
import { fieldRules, Refusal, rule } from '#libs/kernel/refusal.js';
import type { AddressFault } from '#libs/platform/safe-fetch/failure.js';
import { assertFetchable } from '#libs/platform/safe-fetch/failure-text.js';
import type { Job } from '#libs/features/jobs/domain/job.js';
import { type Hook, findHook, liveHooks, type Webhooks } from '#libs/features/webhooks/domain/webhook.js';
import { type PushSettings, pushSettingsIn } from '#libs/webhooks/push-settings.js';
import { publicTypes } from './subscription.js';

/** How many hooks of one form a muse has at once. */
export const HOOKS_MAX = { standard: 5, a2a: 20 } as const satisfies { readonly [form in Hook['form']]: number };

/** What the public events that an A2A push configuration is told of are about its role. */
export const PUSHED_TYPES = [
  'JobPosted',
  'Applied',
  'Withdrawn',
  'JobClosed',
  'Hired',
  'Delivered',
  'Accepted',
  'Disputed',
  'DisputeWithdrawn',
  'Paid',
  'WageLost',
  'HireEnded',
];

interface WebhookFields extends PushSettings {
  readonly url?: string;
  readonly events?: readonly string[];
  /** A muse_id. */
  readonly about?: string | undefined;
  readonly role?: string;
}

interface WebhookSetup {
  readonly form: Hook['form'];
  readonly webhook: number;
  /** Why the service may not send to the address. */
  readonly fault: AddressFault | null;
  /** The request is signed, and stands as it was signed in the log. */
  readonly isSigned: boolean;
  /** Which field said `about`. */
  readonly narrowedBy: 'about' | 'muse_id';
}

/** What one more hook is told of, and where. */
export function newHook(
  hooks: Webhooks,
  asked: WebhookFields,
  { form, webhook, fault, isSigned, narrowedBy }: WebhookSetup,
) {
  const { url, events = null, about = null, role = null } = asked;
  const narrows = about === null || publicTypes(events ?? []).length > 0;
  fieldRules(
    [url !== undefined, 'url', 'url is needed.', 'missing'],
    [narrows, narrowedBy, `${narrowedBy} narrows public events; events names none.`, 'conflicting'],
    [(form === 'a2a') === (role !== null), 'role', 'role goes with the form a2a, and with no other.', 'conflicting'],
    ...assertPushFields(asked, form, isSigned),
  );
  assertFetchable('url', fault);
  const most = HOOKS_MAX[form];
  const own = liveHooks(hooks).filter(hook => hook.form === form);
  if (own.length >= most)
    throw new Refusal('too_many_webhooks', `There are ${most} webhooks already, which is as many as there may be.`);
  if (findHook(hooks, webhook)) throw new IdCollision();
  return form === 'a2a'
    ? { form, url: url!, events: PUSHED_TYPES, about: role }
    : { form, url: url!, events: events && [...events], about };
}

/** What is secret is kept in the vault alone: a signed request would keep it in the log as well. */
function assertPushFields(asked: WebhookFields, form: Hook['form'], isSigned: boolean) {
  const { notification_token: token, auth_scheme: scheme, auth_credentials: credentials } = asked;
  const isPushed = form === 'a2a' || Object.keys(pushSettingsIn(asked)).length === 0;
  const rule = (holds: boolean, field: keyof PushSettings, sentence: string) =>
    [holds, field, sentence, 'conflicting'] as const;
  return [
    rule(isPushed, 'config', '`config` belongs to webhooks of the form a2a.'),
    rule(credentials === undefined || scheme !== undefined, 'auth_scheme', 'auth_credentials need their auth_scheme.'),
    rule(!isSigned || token === undefined, 'notification_token', 'Send notification_token with a bearer token.'),
    rule(!isSigned || credentials === undefined, 'auth_credentials', 'Send auth_credentials with a bearer token.'),
  ];
}

/** Only the owner of a job follows it as a task; undefined where none is named. */
export function assertOwnJob(job: Job | undefined, muse: string): void {
  if (job === undefined || (job.status !== 'unknown' && job.poster === muse)) return;
  throw new Refusal('not_found', 'role must name a job of yours.', { field: 'role' });
}

/** A hook of one’s own, of a form, that has not stopped. */
export function requireLiveHook(hooks: Webhooks, form: Hook['form'], webhook: number | undefined): Hook {
  const hook = requireHook(hooks, form, webhook);
  rule(hook.stopped === null, 'webhook_stopped', 'The webhook has stopped, for good.');
  return hook;
}

/** A hook of one’s own, of a form, whether it has stopped or not. */
export function requireHook(hooks: Webhooks, form: Hook['form'], webhook: number | undefined): Hook {
  fieldRules([webhook !== undefined, 'id', 'id is needed.', 'missing']);
  const hook = findHook(hooks, webhook!);
  rule(hook?.form === form, 'not_found', 'id must name a webhook of yours.', { field: 'id' });
  return hook;
}
