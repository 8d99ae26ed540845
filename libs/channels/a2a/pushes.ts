import { randomUUID } from 'node:crypto';
import type { Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { faultsIn, requestClass } from '#libs/validation/request-class.js';
import type { Webhook, WebhookAnswer } from '#libs/client/operations.generated.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { assertReadable } from '#libs/platform/safe-fetch/words.js';
import { PUSH_FIELDS } from '#libs/webhooks/push-settings.js';
import { type Jobs, keyOf } from './jobs.js';
import { isTerminal } from './task.js';

type Config = TaskPushNotificationConfig;

const OF_FORM = { form: 'a2a' } as const;

const PushRequest = requestClass('push', PUSH_FIELDS);

/** The push configurations of a caller: each is a webhook of one job. */
export class Pushes {
  constructor(
    private readonly jobs: Jobs,
    private readonly safeFetch: Pick<SafeFetch, 'checkUrl'>,
  ) {}

  /** Refuses what `create` would refuse, as far as that can be told without the job. */
  check(config: Config): void {
    assertReadable('url', this.safeFetch.checkUrl(config.url));
    if (config.authentication?.scheme === '') throw new RequestMalformedError('authentication.scheme is missing.');
    refuseFields(faultsIn(PushRequest, settingsIn(config)));
  }

  /**
   * The same once more is the same one, for some clients say it with each message; another one of its id gives way to
   * it. Without an id it has that of its task.
   */
  async create(role: string, config: Config): Promise<Config> {
    const named = { ...config, id: config.id === '' ? (await this.jobs.names.of(role)).id : config.id };
    const fields = { ...OF_FORM, action: 'create', role, url: named.url, ...settingsIn(named) };
    const make = async (key: string) =>
      (await this.jobs.do('webhook', fields, keyOf(key))).answer['webhook'] as unknown as Webhook;
    const known = await make(`push ${JSON.stringify(fields)}`);
    const made = known.state === 'stopped' ? await make(randomUUID()) : known;
    await this.remove(role, hook => idOf(hook) === named.id && hook.id !== made.id);
    return this.shown(made);
  }

  async list(task: Task): Promise<Config[]> {
    const role = roleOf(task);
    return role === null ? [] : Promise.all((await this.of(role)).map(hook => this.shown(hook)));
  }

  /** Throws `TaskNotFoundError` (A2A 1.0, 3.1.8). */
  async get(task: Task, id: string): Promise<Config> {
    const found = (await this.list(task)).findLast(config => config.id === id);
    if (!found) throw new TaskNotFoundError('The task has no such push configuration.');
    return found;
  }

  /** May be repeated. */
  async delete(task: Task, id: string): Promise<void> {
    const role = roleOf(task);
    if (role !== null) await this.remove(role, hook => idOf(hook) === id);
  }

  private async remove(role: string, isMeant: (hook: Webhook) => boolean): Promise<void> {
    for (const { id } of (await this.of(role)).filter(isMeant))
      await this.jobs.do('webhook', { ...OF_FORM, action: 'remove', id: String(id) }, keyOf(`push removed ${id}`));
  }

  private async of(role: string): Promise<Webhook[]> {
    const { answer } = await this.jobs.calls.ask<WebhookAnswer>({
      method: 'POST',
      path: '/api/webhook',
      fields: { ...OF_FORM, action: 'list' },
    });
    return answer.webhooks!.filter(hook => hook.role === role && hook.state !== 'stopped');
  }

  /** Without its secrets: who has set it up knows them. */
  private async shown(hook: Webhook): Promise<Config> {
    const { id: taskId } = await this.jobs.names.of(hook.role!);
    const authentication = hook.auth_scheme === undefined ? undefined : { scheme: hook.auth_scheme, credentials: '' };
    return { tenant: '', id: idOf(hook), taskId, url: hook.url ?? '', token: '', authentication };
  }
}

/** The job of a task that may be told of. Throws `UnsupportedOperationError` for one that tells nothing more, or yet. */
export function toldOf(task: Task): string {
  if (isTerminal(task)) throw new UnsupportedOperationError('The task is over.');
  const role = roleOf(task);
  if (role !== null) return role;
  throw new UnsupportedOperationError('The task waits for its payment: send the configuration with that message.');
}

const roleOf = ({ metadata }: Task): string | null => {
  const role: unknown = metadata?.['role'];
  return typeof role === 'string' ? role : null;
};

const idOf = ({ id, config }: Webhook) => config ?? String(id);

/** What a configuration says besides its address, as fields of a request. */
function settingsIn({ id, token, authentication }: Config): { readonly [name: string]: string } {
  const { scheme = '', credentials = '' } = authentication ?? {};
  const fields = { config: id, notification_token: token, auth_scheme: scheme, auth_credentials: credentials };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
