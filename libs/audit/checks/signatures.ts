import { verifyInPool } from '#libs/platform/signing/ed25519.js';
import { verifyNoble } from '#libs/platform/signing/noble.js';
import type { Findings } from '../findings.js';
import type { Signature } from '../signatures.js';
import type { Check, ExaminedEvent } from './check.js';

/** How many signatures are given to the threads of the pool at once: waking a thread costs as much as verifying. */
const AT_ONCE = 128;

/**
 * How the events were allowed: how many by a signature that verifies, how many by one that cannot be rebuilt, and so
 * on.
 */
export interface Claims {
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

const OTHER_TAG =
  'No request is the one that was signed: the service may sign under another first line, which MESSAGE_TAG names to the auditor too.';

/** Verifies the signature of every signed request, on the threads of the pool. */
export class Signatures implements Check {
  readonly claims: Claims = {
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
  private others = 0;
  private waiting: [Signature, ExaminedEvent['shown']][] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly findings: Findings,
    /** Whether every signature is verified by a second implementation too. */
    private readonly second: boolean,
  ) {}

  take(seen: ExaminedEvent): void | Promise<void> {
    const { shown, opened } = seen;
    if (!opened) return void (this.claims.hidden += 1);
    const found = this.look(seen);
    if (found === 'commitment') {
      const sentence = 'The request that it shows is not the one that was signed: the commitment is another.';
      this.findings.add('signature', sentence, shown);
      this.others += 1;
    } else if (typeof found === 'string') {
      // What may be hidden is looked at by `HiddenRequests`.
      if (found !== 'hidden') this.claims[found] += 1;
    } else if (found) return this.verify(found, shown);
  }

  async end(): Promise<void> {
    await this.running;
    await this.verifyWaiting();
    if (this.others > 0 && this.claims.verified === 0) this.findings.add('signature', OTHER_TAG, {});
  }

  private look(seen: ExaminedEvent): ReturnType<ExaminedEvent['signed']> | null {
    try {
      return seen.signed();
    } catch (error) {
      const sentence = `Its signed message cannot be rebuilt: ${(error as Error).message}`;
      this.findings.add('signature', sentence, seen.shown);
      return null;
    }
  }

  /** The next batch is gathered while one is verified; there are never more than these two. */
  private verify(found: Signature, shown: ExaminedEvent['shown']): void | Promise<void> {
    this.waiting.push([found, shown]);
    if (this.waiting.length >= AT_ONCE) return this.next();
  }

  private async next(): Promise<void> {
    await this.running;
    this.running = this.verifyWaiting();
  }

  private verifyWaiting(): Promise<unknown> {
    return Promise.all(this.waiting.splice(0).map(([found, shown]) => this.verified(found, shown)));
  }

  private async verified({ publicKey, message, signature }: Signature, shown: ExaminedEvent['shown']): Promise<void> {
    const first = await verifyInPool(publicKey, message, signature).catch(() => false);
    const second = this.second ? verifyNoble(publicKey, message, signature) : first;
    if (first && second) this.claims.verified += 1;
    else if (first === second) this.findings.add('signature', `Its signature is not by the key ${publicKey}.`, shown);
    else this.findings.add('signature', 'Two implementations of ed25519 disagree on its signature.', shown);
  }
}
