import { sha256Hex } from '#libs/kernel/ids.js';
import { SIGNED_BY_NEW_KEY } from '#libs/signing/signed-message.js';
import type { Findings } from '../findings.js';
import { rebuiltMessage } from '../signatures.js';
import type { Check, Seen } from './check.js';

/** What was signed under a nonce. `message` is null where it cannot be rebuilt. */
interface Use {
  readonly head: string;
  readonly message: string | null;
  /** The payment that the request presented, while nothing else of the request was written. */
  readonly payment: string | null;
}

/** Nobody signs two messages with one nonce. A payment that ended without effect gives its nonce back. */
export class Nonces implements Check {
  private readonly uses = new Map<string, Use>();
  private readonly byPayment = new Map<string, string>();

  constructor(
    private readonly findings: Findings,
    private readonly tag: string,
  ) {}

  take({ shown, opened }: Seen): void {
    if (!opened) return;
    const { payment } = opened.data as { readonly payment?: string };
    if (opened.type === 'PaymentRefused' || opened.type === 'PaymentExpired') this.release(payment!);
    if (opened.authorization.mode !== 'signature') return;
    const { nonce, endpoint, timestamp, public_key: newKey } = opened.authorization;
    const key = `${SIGNED_BY_NEW_KEY.has(endpoint) ? newKey : opened.actor} ${nonce}`;
    const use: Use = {
      head: `${endpoint} ${timestamp}`,
      message: this.messageOf(opened),
      payment: opened.type === 'PaymentAccepted' ? payment! : null,
    };
    if (use.payment !== null) this.byPayment.set(use.payment, key);
    const before = this.uses.get(key);
    if (before && !same(before, use)) {
      this.findings.add('nonce', `Its nonce ${nonce} was used by ${opened.actor} for another message before.`, shown);
    } else this.uses.set(key, before ? { ...before, payment: use.payment && before.payment } : use);
  }

  private release(payment: string): void {
    const key = this.byPayment.get(payment);
    if (key !== undefined && this.uses.get(key)?.payment === payment) this.uses.delete(key);
  }

  private messageOf(event: NonNullable<Seen['opened']>): string | null {
    if (event.authorization.mode !== 'signature') return null;
    try {
      const message = rebuiltMessage(event, event.authorization, this.tag);
      return message && sha256Hex(message);
    } catch {
      return null;
    }
  }
}

const same = (one: Use, other: Use) =>
  one.head === other.head && (one.message === null || other.message === null || one.message === other.message);
