import { INBOX_KINDS } from '#libs/views/notifications.js';
import type { Job } from '#libs/features/jobs/domain/job.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';
import { type Hook, findHook, liveHooks, type Webhooks } from './domain/webhook.js';
import { fieldRules, Refusal, rule } from '#libs/kernel/refusal.js';
import { type AddressFault, assertFetchable } from '#libs/platform/safe-fetch/failure.js';
import { namesValue } from '#libs/values/value.js';
import { type PushSettings, pushSettingsIn } from './push-settings.js';

/** Maximum number of active webhooks per form and muse. */
export const HOOKS_MAX = { standard: 5, a2a: 20 } as const satisfies { readonly [form in Hook['form']]: number };

/** Public events of a role that an A2A push configuration receives. */
const PUSHED_TYPES = [
  'JobPosted',
  'Applied',
  'Withdrawn',
  'JobClosed',
  'Hired',
  'Delivered',
  'Accepted',
  'RevisionAsked',
  'Disputed',
  'DisputeWithdrawn',
  'Paid',
  'WageLost',
  'HireEnded',
];

interface WebhookFields extends PushSettings {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly about?: string | undefined;
  readonly role?: string;
}

export interface WebhookContext {
  /** Why the address is refused, or null. */
  readonly fault: AddressFault | null;
  /** A signed request is stored in the log, so it must not contain secrets. */
  readonly isSigned: boolean;
  /** `muse_id` of a request with a token. In a signed request, `muse_id` is the caller. */
  readonly narrowedTo: string | undefined;
  /** Hash prefix of the bearer token; null for a signed request. */
  readonly tokenHint: string | null;
}

export function newHook(
  hooks: Webhooks,
  request: WebhookFields,
  form: Hook['form'],
  { fault, isSigned, narrowedTo }: WebhookContext,
) {
  const { url, events = null, about = narrowedTo ?? null, role = null } = request;
  const narrowedBy = request.about === undefined ? 'muse_id' : 'about';
  const narrows = about === null || publicTypes(events ?? []).length > 0;
  fieldRules(
    [url !== undefined, 'url', '`url` is needed: the https address that receives the messages.', 'missing'],
    [
      narrows,
      narrowedBy,
      `\`${narrowedBy}\` only narrows public events: add a public event type to \`events\`.`,
      'conflicting',
    ],
    [(form === 'a2a') === (role !== null), 'role', 'Send `role` with the `form` a2a, and only then.', 'conflicting'],
    ...pushRules(request, form, isSigned),
  );
  assertFetchable('url', fault);
  const maximum = HOOKS_MAX[form];
  const activeHooks = liveHooks(hooks).filter(hook => hook.form === form);
  rule(
    activeHooks.length < maximum,
    'too_many_webhooks',
    `You already have ${maximum} webhooks, which is the maximum. Remove one first.`,
  );
  return form === 'a2a'
    ? { form, url: url!, events: PUSHED_TYPES, about: role }
    : { form, url: url!, events: events && [...events], about };
}

/** Secrets belong in the vault only: a signed request would also keep them in the log. */
function pushRules(request: WebhookFields, form: Hook['form'], isSigned: boolean) {
  const { auth_scheme: scheme, auth_credentials: credentials } = request;
  const isAllowed = form === 'a2a' || Object.keys(pushSettingsIn(request)).length === 0;
  const rule = (holds: boolean, field: keyof PushSettings, sentence: string) =>
    [holds, field, sentence, 'conflicting'] as const;
  const secretRule = (field: 'notification_token' | 'auth_credentials') => {
    const sentence = `A signed request cannot contain ${field}. Use a bearer token.`;
    return rule(!isSigned || request[field] === undefined, field, sentence);
  };
  return [
    rule(isAllowed, 'config', 'Send `config` and the push fields only with the `form` a2a.'),
    rule(
      credentials === undefined || scheme !== undefined,
      'auth_scheme',
      'Send `auth_scheme` together with `auth_credentials`.',
    ),
    secretRule('notification_token'),
    secretRule('auth_credentials'),
  ];
}

/** Undefined if the request names no job. */
export function assertOwnJob(job: Job | undefined, ids: readonly string[]): void {
  if (job === undefined || (job.status !== 'unknown' && ids.includes(job.poster ?? ''))) return;
  throw new Refusal('not_found', '`role` must be the slug of a job that you posted.', { field: 'role' });
}

export function requireLiveHook(hooks: Webhooks, form: Hook['form'], webhook: number | undefined): Hook {
  const hook = requireHook(hooks, form, webhook);
  rule(hook.stopped === null, 'webhook_stopped', 'The webhook has stopped. Create a new one.');
  return hook;
}

/** Also returns a stopped webhook. */
export function requireHook(hooks: Webhooks, form: Hook['form'], webhook: number | undefined): Hook {
  fieldRules([webhook !== undefined, 'id', '`id` is needed: the id of the webhook.', 'missing']);
  const hook = findHook(hooks, webhook!);
  rule(hook?.form === form, 'not_found', '`id` must be the id of one of your webhooks.', { field: 'id' });
  return hook;
}

/** Maximum number of kinds and types per webhook. */
const NAMES_MAX = 100;

const KINDS: ReadonlySet<string> = new Set(INBOX_KINDS);
const KIND_LIST = INBOX_KINDS.map(kind => `\`${kind}\``).join(', ');

export const subscription = (types: EventTypeRegistry) =>
  namesValue({
    min: 1,
    max: NAMES_MAX,
    isSet: true,
    isKnown: name => KINDS.has(name) || types.get(name)?.privateType === false,
    mustBe: `1 to ${NAMES_MAX} comma-separated inbox kinds (${KIND_LIST}) or public event types (see /api/events/schema)`,
  });

/** Only public types can be narrowed to one muse. */
const publicTypes = (names: readonly string[]) => names.filter(name => !KINDS.has(name));
