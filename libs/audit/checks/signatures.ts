import { verifyInPool } from '#libs/platform/signing/ed25519.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import type { Findings } from '../findings.js';
import type { UnverifiedSignature } from '../signatures.js';
import type { Check, ExaminedEvent } from './check.js';

/** How many signatures are given to the threads of the pool at once: waking a thread costs as much as verifying. */
const BATCH_SIZE = 128;

/**
 * How the events were allowed: how many by a signature that verifies, how many by one that cannot be rebuilt, and so
 * on.
 */
export interface AuthorizationCounts {
  verified: number;
  /** Signed, and the signed fields hold a value that only its parties read. */
  private: number;
  /** Signed, and what was signed was erased by its muse. */
  erased: number;
  /** Signed, and nothing that was read says why the signature is not shown. */
  withheld: number;
  bearer: number;
  service: number;
  operator: number;
  /** Shown by their digest alone. */
  hidden: number;
}

const WRONG_TAG_PROBLEM =
  'No request is the one that was signed: the service may sign under another first line, which MESSAGE_TAG names to the auditor too.';

/** Verifies the signature of every signed request, on the threads of the pool. */
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
  /** Requests that are not what was signed. */
  private mismatches = 0;
  private waiting: [UnverifiedSignature, ExaminedEvent['shown']][] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly findings: Findings,
    /** Whether every signature is verified by a second implementation too. */
    private readonly second: boolean,
  ) {}

  examine(seen: ExaminedEvent): void | Promise<void> {
    const { shown, opened } = seen;
    if (!opened) return void (this.claims.hidden += 1);
    const found = this.readSignature(seen);
    if (found === 'commitment') {
      const sentence = 'The request that it shows is not the one that was signed: the commitment is another.';
      this.findings.add('signature', sentence, shown);
      this.mismatches += 1;
    } else if (typeof found === 'string') {
      // What may be hidden is looked at by `HiddenRequests`.
      if (found !== 'hidden') this.claims[found] += 1;
    } else if (found) return this.queueSignature(found, shown);
  }

  async finish(): Promise<void> {
    await this.running;
    await this.verifyBatch();
    if (this.mismatches > 0 && this.claims.verified === 0) this.findings.add('signature', WRONG_TAG_PROBLEM, {});
  }

  private readSignature(seen: ExaminedEvent): ReturnType<ExaminedEvent['readSignature']> | null {
    try {
      return seen.readSignature();
    } catch (error) {
      const sentence = `Its signed message cannot be rebuilt: ${(error as Error).message}`;
      this.findings.add('signature', sentence, seen.shown);
      return null;
    }
  }

  /** The next batch is gathered while one is verified; there are never more than these two. */
  private queueSignature(found: UnverifiedSignature, shown: ExaminedEvent['shown']): void | Promise<void> {
    this.waiting.push([found, shown]);
    if (this.waiting.length >= BATCH_SIZE) return this.startBatch();
  }

  private async startBatch(): Promise<void> {
    await this.running;
    this.running = this.verifyBatch();
  }

  private verifyBatch(): Promise<unknown> {
    return Promise.all(this.waiting.splice(0).map(([found, shown]) => this.verifyOne(found, shown)));
  }

  private async verifyOne(
    { publicKey, message, signature }: UnverifiedSignature,
    shown: ExaminedEvent['shown'],
  ): Promise<void> {
    const first = await verifyInPool(publicKey, message, signature).catch(() => false);
    const second = this.second ? verifyNoble(publicKey, message, signature) : first;
    if (first && second) this.claims.verified += 1;
    else if (first === second) this.findings.add('signature', `Its signature is not by the key ${publicKey}.`, shown);
    else this.findings.add('signature', 'Two implementations of ed25519 disagree on its signature.', shown);
  }
}
