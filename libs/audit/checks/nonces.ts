import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { NEW_KEY_ENDPOINTS } from '#libs/platform/signing/signed-message.js';
import type { Findings } from '#libs/audit/findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** The service remembers a nonce for this time. Afterwards it refuses the message by its timestamp. */
const NONCE_WINDOW_MS = 10 * MINUTE_MS;

/** `message` is null if it cannot be rebuilt. */
interface NonceUse {
  /** Unix ms. */
  readonly at: number;
  readonly head: string;
  readonly message: string | null;
  /** Payment of the request, as long as all its events follow from that payment. */
  readonly payment: string | null;
  readonly events: readonly WrittenEvent[];
}

type WrittenEvent = Pick<Event, 'id' | 'type' | 'stream' | 'cause' | 'decided_by'>;

/**
 * Rejects a nonce that signs two messages within the window. A payment that ended without effect releases its nonce.
 */
export class NonceCheck implements Check {
  private readonly uses = new Map<string, readonly NonceUse[]>();
  private readonly byPayment = new Map<string, string>();
  /** Payments, keyed by the id of `PaymentAccepted`: the cause of the events that follow from them. */
  private readonly accepted = new Map<string, string>();

  constructor(private readonly findings: Findings) {}

  examine(event: ExaminedEvent): void {
    const { opened } = event;
    if (!opened) return;
    const { payment } = opened.data as { readonly payment?: string };
    if (isEndWithoutEffect(opened)) this.releaseNonce(payment!);
    if (opened.authorization.mode !== 'signature') return;
    const { nonce, endpoint, timestamp, public_key: newKey } = opened.authorization;
    const key = `${NEW_KEY_ENDPOINTS.has(endpoint) ? newKey : opened.actor} ${nonce}`;
    const { id, type, stream, cause, decided_by } = opened;
    const use: NonceUse = {
      at: opened.at,
      head: `${endpoint} ${timestamp}`,
      message: messageDigest(event),
      payment: type === 'PaymentAccepted' ? payment! : (this.accepted.get(cause) ?? null),
      events: [{ id, type, stream, cause, decided_by }],
    };
    if (use.payment !== null) this.byPayment.set(use.payment, key);
    if (type === 'PaymentAccepted') this.accepted.set(id, payment!);
    this.recordUse(key, use, event);
  }

  private recordUse(key: string, use: NonceUse, { shown }: ExaminedEvent): void {
    const { nonce } = shown.authorization as { readonly nonce: string };
    const uses = this.uses.get(key) ?? [];
    const earlier = uses.find(candidate => isSameMessage(candidate, use));
    if (!earlier && uses.some(({ at }) => Math.abs(use.at - at) < NONCE_WINDOW_MS)) {
      this.findings.add('nonce', `${shown.actor} had already used its nonce ${nonce} for another message.`, shown);
      return;
    }
    const problem = earlier && findRepetition(earlier, use);
    if (problem) this.findings.add('request_twice', `The request with the nonce ${nonce} had ${problem}.`, shown);
    const others = uses.filter(other => other !== earlier);
    this.uses.set(key, [...others, earlier ? mergeUses(earlier, use) : use]);
  }

  private releaseNonce(payment: string): void {
    const key = this.byPayment.get(payment);
    if (key === undefined) return;
    const rest = this.uses.get(key)?.filter(use => use.payment !== payment) ?? [];
    if (rest.length > 0) this.uses.set(key, rest);
    else this.uses.delete(key);
  }
}

/** A request makes each decision once, and all its events have one cause or follow from one another. */
function findRepetition({ events }: NonceUse, { events: [event] }: NonceUse): string | null {
  const { type, stream, cause, decided_by: decision } = event!;
  if (events.some(each => each.type === type && each.stream === stream))
    return 'already written an event of this type in this stream';
  if (cause !== events[0]!.cause && !events.some(({ id }) => id === cause))
    return 'written its events with another cause';
  const same = events.find(each => each.decided_by === decision && each.cause === cause);
  if (!same || same.stream === stream) return null;
  return `already led to ${decision} because of ${cause} in ${same.stream}`;
}

function isEndWithoutEffect({ type, data }: { readonly type: string; readonly data: unknown }): boolean {
  if (type === 'PaymentLost') return (data as { readonly undone: boolean }).undone;
  return type === 'PaymentRefused' || type === 'PaymentExpired';
}

function messageDigest(event: ExaminedEvent): string | null {
  try {
    const signature = event.readSignature();
    return typeof signature === 'string' ? null : sha256Hex(signature.message);
  } catch {
    return null;
  }
}

const mergeUses = (earlier: NonceUse, use: NonceUse): NonceUse => ({
  ...earlier,
  payment: use.payment && earlier.payment,
  events: [...earlier.events, ...use.events],
});

const isSameMessage = (one: NonceUse, other: NonceUse) =>
  one.head === other.head && (one.message === null || other.message === null || one.message === other.message);
