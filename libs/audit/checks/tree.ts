import type { Checkpoint } from '#libs/platform/signing/signed-note.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import type { Findings } from '#libs/audit/findings.js';
import { append, EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';
import type { Check, ExaminedEvent } from './check.js';

const DIGEST = /^[0-9a-f]{64}$/;

export interface ExpectedRoot extends Pick<Checkpoint, 'size' | 'root'> {
  readonly label: string;
}

export class TreeCheck implements Check {
  private edge: MerkleEdge = EMPTY_EDGE;
  private agreedSize = 0;

  constructor(
    private readonly findings: Findings,
    private readonly expectedRoots: ExpectedRoot[],
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

  expect(root: ExpectedRoot): void {
    this.expectedRoots.push(root);
    if (root.size === this.size) this.compareRoots();
  }

  examine({ shown, opened }: ExaminedEvent): void {
    const digest = opened && !this.ownDigests ? feedEventDigest(shown) : shown.digest;
    if (digest !== shown.digest) {
      this.findings.add('digest', `Its digest is ${digest}, but it states ${shown.digest}.`, shown);
    } else if (!DIGEST.test(digest)) this.findings.add('digest', 'It has no valid digest.', shown);
    this.edge = append(this.edge, digest);
    this.compareRoots(shown);
  }

  finish(): void {
    for (const { size, label } of this.expectedRoots.filter(({ size }) => size > this.size)) {
      const sentence = `${label} covers ${size} events, but the log ends after ${this.size}: its end was cut off.`;
      this.findings.add('tree', sentence);
    }
  }

  /** A root does not identify the wrong event, but all events up to the last matching root are unchanged. */
  private describeSpan(): string {
    return `An event from number ${this.agreedSize + 1} on was changed, removed, inserted or moved.`;
  }

  private compareRoots(shown?: ExaminedEvent['shown']): void {
    for (const { root, label } of this.expectedRoots.filter(({ size }) => size === this.size)) {
      const sentence = `${label} says that the first ${this.size} events have the root ${root}, but they have ${this.root}.`;
      if (root === this.root) this.agreedSize = this.size;
      else this.findings.add('tree', `${sentence} ${this.describeSpan()}`, shown);
    }
  }
}
