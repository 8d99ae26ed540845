import type { Checkpoint } from '#libs/platform/signing/signed-note.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import type { Findings } from '../findings.js';
import { append, EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';
import type { Check, ExaminedEvent } from './check.js';

const DIGEST = /^[0-9a-f]{64}$/;

/** A root that the log had at a size, and who says so, as a sentence calls it: `The kept checkpoint`. */
export interface KnownRoot extends Pick<Checkpoint, 'size' | 'root'> {
  readonly label: string;
}

/** Every digest is that of its event, and the tree of all has the roots that are known. */
export class TreeCheck implements Check {
  private edge: MerkleEdge = EMPTY_EDGE;
  /** The greatest size at which a known root was right. */
  private agreedSize = 0;

  constructor(
    private readonly findings: Findings,
    private readonly known: readonly KnownRoot[],
    /** Whether the source has worked out the digests itself, so that they need not be checked. */
    private readonly ownDigests = false,
  ) {
    this.compareRoots();
  }

  get size(): number {
    return this.edge.size;
  }

  get root(): string {
    return rootOf(this.edge);
  }

  examine({ shown, opened }: ExaminedEvent): void {
    const digest = opened && !this.ownDigests ? feedEventDigest(shown) : shown.digest;
    if (digest !== shown.digest) {
      this.findings.add('digest', `Its digest is ${digest}, not the ${shown.digest} that it carries.`, shown);
    } else if (!DIGEST.test(digest)) this.findings.add('digest', 'It carries no digest.', shown);
    this.edge = append(this.edge, digest);
    this.compareRoots(shown);
  }

  finish(): void {
    for (const { size, label: who } of this.known.filter(({ size }) => size > this.size)) {
      this.findings.add('tree', `${who} is of ${size} events; the log ends after ${this.size}: its tail was cut.`);
    }
  }

  /** A root does not say which event is wrong. Those up to the last root that was right are unchanged. */
  private describeSpan(): string {
    return `One of the events from number ${this.agreedSize + 1} on was changed, dropped, put in or swapped.`;
  }

  private compareRoots(shown?: ExaminedEvent['shown']): void {
    for (const { root, label: who } of this.known.filter(({ size }) => size === this.size)) {
      const sentence = `${who} says that the first ${this.size} events have the root ${root}; they have ${this.root}.`;
      if (root === this.root) this.agreedSize = this.size;
      else this.findings.add('tree', `${sentence} ${this.describeSpan()}`, shown);
    }
  }
}
