import { linkedIds } from '#libs/features/identity/views/linked-muses.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { StreamResponse, type Task } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { Injectable } from '@nestjs/common';
import { LEGACY_VERSION, MEDIA_TYPES, PROTOCOL_VERSION } from '#libs/channels/a2a/protocol.js';
import { artifactIdOf, isTerminal, toTask, artifactUpdate, statusUpdate, wholeTask } from '#libs/channels/a2a/task.js';
import { TaskNames } from '#libs/channels/a2a/task-names.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { EventOf } from '#libs/domain/define.js';
import { Delivered } from '#libs/features/hires/domain/hire.js';
import { JobClosed, JobPosted } from '#libs/features/jobs/domain/job.js';
import {
  decodePushSettings,
  type DeliveryAttempt,
  pushHeaders,
  type WebhookForm,
  WebhookForms,
} from '#libs/features/webhooks/public.js';
import { jobTask, findOwnRole } from './job-task.js';

/** Push notification body: an update of the task (A2A 1.0, 4.3.3), or the task itself for clients of A2A 0.3. */
@Injectable()
export class A2aForm implements WebhookForm {
  readonly name = 'a2a';

  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
    private readonly names: TaskNames,
    private readonly address: ServiceAddress,
    forms: WebhookForms,
  ) {
    forms.add(this);
  }

  async request({ muse, hook, message, id, now, secrets: [settings] }: DeliveryAttempt) {
    const ids = linkedIds((await this.models.of(Muses).get(muse))!.body);
    const role = hook.about === null ? undefined : await findOwnRole(this.models, ids, hook.about);
    if (!role || !settings || !('event' in message)) return null;
    const job = await jobTask({ models: this.models, journal: this.journal, now }, role.body);
    const task = toTask(job, await this.names.findName(role.id), this.address.url);
    if (isKnownClose(message.event) && !isTerminal(task)) return null;
    const pushSettings = decodePushSettings(settings);
    const { a2a_version: version = PROTOCOL_VERSION } = pushSettings;
    const update = updateOf(task, message.event);
    const { body, contentType } =
      version === LEGACY_VERSION
        ? new V03PushNotificationSerializer().serialize(update, task)
        : { body: JSON.stringify(StreamResponse.toJSON(update)), contentType: MEDIA_TYPES[0] };
    return {
      body,
      headers: {
        'content-type': contentType,
        'a2a-version': version,
        'webhook-id': id,
        ...pushHeaders(pushSettings),
      },
      isLast: isTerminal(task),
    };
  }
}

/** `Hired` reports that a job is filled, and its close by the poster changes no task. */
function isKnownClose({ type, data }: StoredEvent): boolean {
  if (type !== JobClosed.type) return false;
  const { closed_reason, again } = data as EventOf<typeof JobClosed>['data'];
  return closed_reason === 'filled' || again === true;
}

/**
 * Sends the whole task if state and artifacts may have changed at once, because earlier messages are not known here.
 */
function updateOf(task: Task, { type, data }: StoredEvent): StreamResponse {
  if (isTerminal(task) || type === JobPosted.type) return wholeTask(task);
  if (type !== Delivered.type) return statusUpdate(task);
  const { hire, delivery } = data as { readonly hire: number; readonly delivery: number };
  const artifact = task.artifacts.find(({ artifactId }) => artifactId === artifactIdOf(hire));
  return artifact && delivery > 1 ? artifactUpdate(task, artifact) : wholeTask(task);
}
