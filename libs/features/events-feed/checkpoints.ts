import { Injectable } from '@nestjs/common';
import { Coordination } from '#libs/platform/coordination/port.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { Clock, DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';
import { checkpointText, signedNote } from '#libs/platform/signing/signed-note.js';
import { MerkleTree, MERKLE_TREE_ID } from '#libs/views/tree.js';

const FRESH_MS = 10 * SECOND_MS;
const CHECKPOINT_KEPT_MS = 30 * DAY_MS;
/** Keyed by the signing address: a checkpoint signed for an earlier address must not be served. */
const keyOf = (origin: string) => `checkpoint/${origin}`;

interface StoredCheckpoint {
  readonly note: string;
  readonly root: string;
  readonly at: number;
}

@Injectable()
export class Checkpoints {
  constructor(
    private readonly models: ReadModels,
    private readonly coordination: Coordination,
    private readonly issuer: Issuer,
    private readonly clock: Clock,
  ) {}

  /** Returns a C2SP signed note. Signs a new one if the log has grown and the newest is older than 10 s. */
  async newest(): Promise<string> {
    const { coordination } = this;
    const now = this.clock.now();
    const origin = this.issuer.name.replace(/^https?:\/\//, '');
    const key = keyOf(origin);
    const text = await coordination.get(key, now);
    const latest = text === undefined ? null : (JSON.parse(text) as StoredCheckpoint);
    if (latest && now - latest.at < FRESH_MS) return latest.note;
    const edge = (await this.models.of(MerkleTree).get(MERKLE_TREE_ID))?.body ?? EMPTY_EDGE;
    const root = rootOf(edge);
    if (latest?.root === root) return latest.note;
    const checkpoint: StoredCheckpoint = { note: await this.sign(origin, edge, root), root, at: now };
    const nextText = JSON.stringify(checkpoint);
    const storedText = await coordination.putIfAbsent(key, nextText, now + CHECKPOINT_KEPT_MS, now);
    if (storedText !== undefined)
      await coordination.compareAndSet(key, storedText, nextText, now + CHECKPOINT_KEPT_MS, now);
    return checkpoint.note;
  }

  private async sign(origin: string, { size }: MerkleEdge, root: string): Promise<string> {
    const text = checkpointText({ origin, size, root });
    const { signature, publicKey } = await this.issuer.signText(text);
    return signedNote(text, origin, publicKey, signature);
  }
}
