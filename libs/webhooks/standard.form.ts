import { Injectable } from '@nestjs/common';
import { InboxTexts } from '#libs/features/inbox/views/inbox-texts.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PublicEvents } from '#libs/views/public-events/public-events.js';
import { type DeliveryAttempt, type WebhookMessage, type WebhookForm, WebhookForms } from './forms.js';
import { signHeaders } from './standard-signature.js';

/** Standard Webhooks 1.0.0 asks for small bodies. */
const BODY_BYTES_MAX = 20_000;

interface StandardMessage {
  readonly id: string;
  readonly type: string;
  /** When it happened, unix ms. */
  readonly at: number;
  readonly data: JsonObject;
}

/** A body as Standard Webhooks 1.0.0 has it. What is too large for it says where it stands instead. */
export function standardBody({ type, at, data }: StandardMessage): string {
  const timestamp = new Date(at).toISOString();
  const whole = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(whole) < BODY_BYTES_MAX) return whole;
  const { id = null, kind = null, position = null, digest = null } = data;
  return JSON.stringify({ type, timestamp, data: { id, kind, position, digest, too_large: true } });
}

/** A message with its headers, signed by every secret that is valid. */
export function standardRequest(said: StandardMessage, secrets: readonly Uint8Array[], now: number) {
  const body = standardBody(said);
  const timestamp = Math.floor(now / SECOND_MS);
  const headers = {
    'content-type': 'application/json',
    ...signHeaders(secrets, { id: said.id, timestamp, body }),
  };
  return { body, headers };
}

/** Inbox items and public events as the inbox and the feed show them, in bodies of Standard Webhooks 1.0.0. */
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

  async request({ message: told, id, now, secrets }: DeliveryAttempt) {
    const { kind: type, at } = told;
    const data = { ...(await this.renderData(told)), position: told.since };
    return standardRequest({ id, type, at, data }, secrets, now);
  }

  private async renderData(told: WebhookMessage): Promise<JsonObject> {
    const [shown] = 'item' in told ? await this.texts.join([told.item]) : await this.events.of([told.event]);
    return shown!;
  }
}
