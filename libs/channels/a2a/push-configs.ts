import { randomUUID } from 'node:crypto';
import type { Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { findFieldFaults, requestClass } from '#libs/validation/request-class.js';
import type { Webhook, WebhookAnswer } from '#libs/client/operations.generated.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { assertFetchable } from '#libs/platform/safe-fetch/failure.js';
import { PUSH_FIELDS } from '#libs/features/webhooks/push-settings.js';
import { type Jobs, idempotencyKeyOf } from './jobs.js';
import { LEGACY_VERSION, type ProtocolVersion } from './protocol.js';
import { isTerminal, roleOf } from './task.js';

type Config = TaskPushNotificationConfig;

/** A checked configuration. `version` is the version of A2A of its requests. */
export interface PushRequest extends Config {
  readonly version: ProtocolVersion;
}

const A2A_FORM = { form: 'a2a' } as const;

const WebhookSettings = requestClass('push', PUSH_FIELDS);

/** Each push configuration is a webhook about one job. */
export class PushConfigs {
  constructor(
    private readonly jobs: Jobs,
    private readonly safeFetch: Pick<SafeFetch, 'checkUrl'>,
    private readonly version: ProtocolVersion,
  ) {}

  /** Makes the checks of `create` that do not need the job. */
  check(config: Config): PushRequest {
    assertFetchable('url', this.safeFetch.checkUrl(config.url));
    if (config.authentication?.scheme === '') throw new RequestMalformedError('`authentication.scheme` is missing.');
    const request = { ...config, version: this.version };
    refuseFields(findFieldFaults(WebhookSettings, settingFields(request)));
    return request;
  }

  /** Also refuses a token whose scope excludes webhooks, before a message posts a job. */
  async checkBeforeJob(config: Config): Promise<PushRequest> {
    const checked = this.check(config);
    await this.listAll();
    return checked;
  }

  /**
   * Repeating a configuration keeps it, because some clients send it with each message. A changed one replaces that of
   * the same id, which defaults to the task id.
   */
  async create(role: string, config: PushRequest): Promise<Config> {
    const identified = { ...config, id: config.id === '' ? (await this.jobs.names.findName(role)).id : config.id };
    const fields = { ...A2A_FORM, action: 'create', role, url: identified.url, ...settingFields(identified) };
    const createWebhook = async (key: string) =>
      (await this.jobs.callEndpoint('webhook', fields, idempotencyKeyOf(key))).answer['webhook'] as unknown as Webhook;
    const current = await createWebhook(`push ${JSON.stringify(fields)}`);
    const webhook = current.state === 'stopped' ? await createWebhook(randomUUID()) : current;
    await this.remove(role, hook => configIdOf(hook) === identified.id && hook.id !== webhook.id);
    return this.toConfig(webhook);
  }

  async list(task: Task): Promise<Config[]> {
    const role = roleOf(task);
    return role === null ? [] : Promise.all((await this.listWebhooks(role)).map(hook => this.toConfig(hook)));
  }

  /** Throws `TaskNotFoundError` (A2A 1.0, 3.1.8). */
  async get(task: Task, id: string): Promise<Config> {
    const match = (await this.list(task)).findLast(config => config.id === id);
    if (!match) throw new TaskNotFoundError('The task has no push configuration with this id.');
    return match;
  }

  /** Idempotent. */
  async delete(task: Task, id: string): Promise<void> {
    const role = roleOf(task);
    if (role !== null) await this.remove(role, hook => configIdOf(hook) === id);
  }

  private async remove(role: string, shouldRemove: (hook: Webhook) => boolean): Promise<void> {
    for (const { id } of (await this.listWebhooks(role)).filter(shouldRemove))
      await this.jobs.callEndpoint(
        'webhook',
        { ...A2A_FORM, action: 'remove', id: String(id) },
        idempotencyKeyOf(`push removed ${id}`),
      );
  }

  private async listWebhooks(role: string): Promise<Webhook[]> {
    return (await this.listAll()).filter(hook => hook.role === role && hook.state !== 'stopped');
  }

  private async listAll(): Promise<readonly Webhook[]> {
    const { answer } = await this.jobs.calls.ask<WebhookAnswer>({
      method: 'POST',
      path: '/api/webhook',
      fields: { ...A2A_FORM, action: 'list' },
    });
    return answer.webhooks!;
  }

  /** Leaves out the secrets. */
  private async toConfig(hook: Webhook): Promise<Config> {
    const { id: taskId } = await this.jobs.names.findName(hook.role!);
    const authentication = hook.auth_scheme === undefined ? undefined : { scheme: hook.auth_scheme, credentials: '' };
    return { tenant: '', id: configIdOf(hook), taskId, url: hook.url ?? '', token: '', authentication };
  }
}

/** Throws `UnsupportedOperationError` for an ended or unpaid task. */
export function requireOpenJob(task: Task): string {
  if (isTerminal(task)) throw new UnsupportedOperationError('The task has ended.');
  const role = roleOf(task);
  if (role !== null) return role;
  throw new UnsupportedOperationError(
    'The task awaits its payment. Send the push configuration together with the payment.',
  );
}

const configIdOf = ({ id, config }: Webhook) => config ?? String(id);

/** Fields of the webhook request, except the address. */
function settingFields({ id, token, authentication, version }: PushRequest): { readonly [name: string]: string } {
  const { scheme = '', credentials = '' } = authentication ?? {};
  const fields = {
    config: id,
    notification_token: token,
    auth_scheme: scheme,
    auth_credentials: credentials,
    a2a_version: version === LEGACY_VERSION ? version : '',
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
