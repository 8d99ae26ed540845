import { createHmac, createPublicKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { InboxTexts } from '#libs/features/inbox/views/inbox-texts.js';
import { SECOND_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { importSeed, sign } from '#libs/platform/signing/ed25519.js';
import { PublicEvents } from '#libs/features/public-events/views/public-events.js';
import { type DeliveryAttempt, type WebhookMessage, type WebhookForm, WebhookForms } from './forms.js';
import { SECRET_BYTES } from './webhook-secrets.js';

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

/** Standard Webhooks 1.0.0: `v1` is HMAC-SHA256, `v1a` is ed25519. */
interface SecretParts {
  readonly symmetric: Uint8Array;
  readonly seed: Uint8Array;
}

const splitSecret = (secret: Uint8Array): SecretParts => ({
  symmetric: secret.subarray(0, SECRET_BYTES),
  seed: secret.subarray(SECRET_BYTES),
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export function secretView(secret: Uint8Array): { readonly secret: string; readonly public_key: string } {
  const { symmetric, seed } = splitSecret(secret);
  const { x } = createPublicKey(importSeed(seed)).export({ format: 'jwk' });
  return { secret: `whsec_${base64(symmetric)}`, public_key: `whpk_${base64(Buffer.from(x!, 'base64url'))}` };
}

/**
 * Importing a key takes ten times as long as signing. Expires after a minute, so that destroyed secrets do not stay in
 * memory.
 */
const importedKeys = new LRUCache<string, KeyObject>({ max: 1_000, ttl: MINUTE_MS, ttlAutopurge: true });

function importKey(seed: Uint8Array): KeyObject {
  const digest = sha256Hex(seed);
  const key = importedKeys.get(digest) ?? importSeed(seed);
  importedKeys.set(digest, key);
  return key;
}

interface SignedContent {
  /** Contains no dot. */
  readonly id: string;
  /** Time of the attempt, unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** `v1` comes first because most libraries support only `v1`. */
export function signHeaders(secrets: readonly Uint8Array[], { id, timestamp, body }: SignedContent) {
  const message = `${id}.${timestamp}.${body}`;
  const parts = secrets.map(splitSecret);
  const v1 = parts.map(({ symmetric }) => `v1,${createHmac('sha256', symmetric).update(message).digest('base64')}`);
  const v1a = parts.map(({ seed }) => `v1a,${base64(Buffer.from(sign(importKey(seed), message), 'base64url'))}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': [...v1, ...v1a].join(' '),
  };
}
