import { verifyInPool } from '#libs/platform/signing/ed25519.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import type { Findings } from '#libs/audit/findings.js';
import type { UnverifiedSignature } from '#libs/audit/signatures.js';
import type { Check, ExaminedEvent } from './check.js';

/** Waking a thread of the pool costs as much as verifying a signature, so send batches. */
const BATCH_SIZE = 128;

export interface AuthorizationCounts {
  verified: number;
  /** A signed field is readable only by its parties. */
  private: number;
  erased: number;
  /** The log does not show why the signature is missing. */
  withheld: number;
  bearer: number;
  service: number;
  operator: number;
  hidden: number;
}

const WRONG_TAG_PROBLEM =
  'No signed request could be verified. If the service has its own MESSAGE_TAG, set it for the auditor too.';

export class SignatureCheck implements Check {
  readonly claims: AuthorizationCounts = {
    verified: 0,
    private: 0,
    erased: 0,
    withheld: 0,
    bearer: 0,
    service: 0,
    operator: 0,
    hidden: 0,
  };
  private mismatches = 0;
  private queue: [UnverifiedSignature, ExaminedEvent['shown']][] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly findings: Findings,
    private readonly second: boolean,
  ) {}

  examine(event: ExaminedEvent): void | Promise<void> {
    const { shown, opened } = event;
    if (!opened) return void (this.claims.hidden += 1);
    const signature = this.readSignature(event);
    if (signature === 'commitment') {
      const sentence = 'The request that it shows is not the signed request: the commitment differs.';
      this.findings.add('signature', sentence, shown);
      this.mismatches += 1;
    } else if (typeof signature === 'string') {
      // `HiddenRequestCheck` judges hidden requests.
      if (signature !== 'hidden') this.claims[signature] += 1;
    } else if (signature) return this.queueSignature(signature, shown);
  }

  async finish(): Promise<void> {
    await this.running;
    await this.verifyBatch();
    if (this.mismatches > 0 && this.claims.verified === 0) this.findings.add('signature', WRONG_TAG_PROBLEM, {});
  }

  private readSignature(event: ExaminedEvent): ReturnType<ExaminedEvent['readSignature']> | null {
    try {
      return event.readSignature();
    } catch (error) {
      const sentence = `Its signed message cannot be rebuilt: ${(error as Error).message}`;
      this.findings.add('signature', sentence, event.shown);
      return null;
    }
  }

  /** At most two batches are in memory: one is collected while the other is verified. */
  private queueSignature(signature: UnverifiedSignature, shown: ExaminedEvent['shown']): void | Promise<void> {
    this.queue.push([signature, shown]);
    if (this.queue.length >= BATCH_SIZE) return this.startBatch();
  }

  private async startBatch(): Promise<void> {
    await this.running;
    this.running = this.verifyBatch();
  }

  private verifyBatch(): Promise<unknown> {
    return Promise.all(this.queue.splice(0).map(([signature, shown]) => this.verifyOne(signature, shown)));
  }

  private async verifyOne(
    { publicKey, message, signature }: UnverifiedSignature,
    shown: ExaminedEvent['shown'],
  ): Promise<void> {
    const first = await verifyInPool(publicKey, message, signature).catch(() => false);
    const second = this.second ? verifyNoble(publicKey, message, signature) : first;
    if (first && second) this.claims.verified += 1;
    else if (first === second)
      this.findings.add('signature', `Its signature does not verify with the key ${publicKey}.`, shown);
    else this.findings.add('signature', 'Two implementations of ed25519 disagree about its signature.', shown);
  }
}
