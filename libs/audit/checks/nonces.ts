import { MINUTE_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { NEW_KEY_ENDPOINTS } from '#libs/platform/signing/signed-message.js';
import type { Findings } from '../findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** For how long a service remembers a nonce. The same message is refused by its timestamp from then on. */
const NONCE_WINDOW_MS = 10 * MINUTE_MS;

/** What was signed under a nonce. `message` is null where it cannot be rebuilt. */
interface NonceUse {
  /** When it was carried out, unix ms. */
  readonly at: number;
  readonly head: string;
  readonly message: string | null;
  /** The payment that the request presented, while nothing was written but what follows from that. */
  readonly payment: string | null;
  /** What was written for the message: one event of each type in a stream. */
  readonly written: readonly string[];
}

/** No nonce is used for two messages while it is remembered. A payment that ended without effect frees its nonce. */
export class NonceCheck implements Check {
  private readonly uses = new Map<string, readonly NonceUse[]>();
  private readonly byPayment = new Map<string, string>();
  /** The payments by the ids of the events that accepted them, which what follows from them names as its cause. */
  private readonly accepted = new Map<string, string>();

  constructor(private readonly findings: Findings) {}

  examine(seen: ExaminedEvent): void {
    const { opened } = seen;
    if (!opened) return;
    const { payment } = opened.data as { readonly payment?: string };
    if (isEndWithoutEffect(opened)) this.releaseNonce(payment!);
    if (opened.authorization.mode !== 'signature') return;
    const { nonce, endpoint, timestamp, public_key: newKey } = opened.authorization;
    const key = `${NEW_KEY_ENDPOINTS.has(endpoint) ? newKey : opened.actor} ${nonce}`;
    const use: NonceUse = {
      at: opened.at,
      head: `${endpoint} ${timestamp}`,
      message: messageDigest(seen),
      payment: opened.type === 'PaymentAccepted' ? payment! : (this.accepted.get(opened.cause) ?? null),
      written: [`${opened.type} ${opened.stream}`],
    };
    if (use.payment !== null) this.byPayment.set(use.payment, key);
    if (opened.type === 'PaymentAccepted') this.accepted.set(opened.id, payment!);
    this.recordUse(key, use, seen);
  }

  private recordUse(key: string, use: NonceUse, { shown }: ExaminedEvent): void {
    const { nonce } = shown.authorization as { readonly nonce: string };
    const uses = this.uses.get(key) ?? [];
    const before = uses.find(each => isSameMessage(each, use));
    if (!before && uses.some(({ at }) => Math.abs(use.at - at) < NONCE_WINDOW_MS)) {
      this.findings.add('nonce', `Its nonce ${nonce} was used by ${shown.actor} for another message before.`, shown);
      return;
    }
    if (before?.written.includes(use.written[0]!))
      this.findings.add('nonce', `The request with the nonce ${nonce} had written one of its kind before.`, shown);
    const others = uses.filter(each => each !== before);
    this.uses.set(key, [...others, before ? mergeUses(before, use) : use]);
  }

  private releaseNonce(payment: string): void {
    const key = this.byPayment.get(payment);
    if (key === undefined) return;
    const rest = this.uses.get(key)?.filter(use => use.payment !== payment) ?? [];
    if (rest.length > 0) this.uses.set(key, rest);
    else this.uses.delete(key);
  }
}

function isEndWithoutEffect({ type, data }: { readonly type: string; readonly data: unknown }): boolean {
  if (type === 'PaymentLost') return (data as { readonly undone: boolean }).undone;
  return type === 'PaymentRefused' || type === 'PaymentExpired';
}

/** The sha256 of the message that was signed. */
function messageDigest(seen: ExaminedEvent): string | null {
  try {
    const found = seen.readSignature();
    return typeof found === 'string' ? null : sha256Hex(found.message);
  } catch {
    return null;
  }
}

const mergeUses = (before: NonceUse, use: NonceUse): NonceUse => ({
  ...before,
  payment: use.payment && before.payment,
  written: [...before.written, ...use.written],
});

const isSameMessage = (one: NonceUse, other: NonceUse) =>
  one.head === other.head && (one.message === null || other.message === null || one.message === other.message);
