import { Injectable } from '@nestjs/common';
import { InboxTexts } from '#libs/features/inbox/views/inbox-texts.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PublicEvents } from '#libs/views/public-events/public-events.js';
import { type DeliveryAttempt, type WebhookMessage, type WebhookForm, WebhookForms } from './forms.js';
import { signHeaders } from './standard-signature.js';

const BODY_BYTES_MAX = 20_000;

interface StandardMessage {
  readonly id: string;
  readonly type: string;
  /** Unix ms. */
  readonly at: number;
  readonly data: JsonObject;
}

/** A message that is too large contains only its id, position and digest. */
export function standardBody({ type, at, data }: StandardMessage): string {
  const timestamp = new Date(at).toISOString();
  const body = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(body) < BODY_BYTES_MAX) return body;
  const { id = null, kind = null, position = null, digest = null } = data;
  return JSON.stringify({ type, timestamp, data: { id, kind, position, digest, too_large: true } });
}

export function standardRequest(message: StandardMessage, secrets: readonly Uint8Array[], now: number) {
  const body = standardBody(message);
  const timestamp = Math.floor(now / SECOND_MS);
  const headers = {
    'content-type': 'application/json',
    ...signHeaders(secrets, { id: message.id, timestamp, body }),
  };
  return { body, headers };
}

@Injectable()
export class StandardForm implements WebhookForm {
  readonly name = 'standard';

  constructor(
    private readonly texts: InboxTexts,
    private readonly events: PublicEvents,
    forms: WebhookForms,
  ) {
    forms.add(this);
  }

  async request({ message, id, now, secrets }: DeliveryAttempt) {
    const { kind: type, at } = message;
    const data = { ...(await this.renderData(message)), position: message.since };
    return standardRequest({ id, type, at, data }, secrets, now);
  }

  private async renderData(message: WebhookMessage): Promise<JsonObject> {
    const [shown] = 'item' in message ? await this.texts.join([message.item]) : await this.events.of([message.event]);
    return shown!;
  }
}
