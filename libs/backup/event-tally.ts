import { append, EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';

export class EventTally {
  private edge: MerkleEdge = EMPTY_EDGE;
  head: Position | null = null;

  get count(): number {
    return this.edge.size;
  }

  get root(): string {
    return rootOf(this.edge);
  }

  add(event: StoredEvent): void {
    this.edge = append(this.edge, eventDigest(event));
    this.head = event.position;
  }
}
