/** SHA-256 of parts, one behind the other, in lower-case hex. */
export type HashOfParts = (...parts: Uint8Array[]) => string;

/** Domain separation of RFC 9162, 2.1.1. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/**
 * The right edge of an append-only Merkle tree: the roots of its perfect subtrees, the largest first, one for each bit
 * that is set in the size. All that is needed to append and to say the root.
 */
export interface MerkleEdge {
  readonly size: number;
  /** Lower-case hex. */
  readonly roots: readonly string[];
}

export const EMPTY_EDGE: MerkleEdge = { size: 0, roots: [] };

/** The tree by one implementation of SHA-256; `bytes` reads lower-case hex. */
export function createMerkleTree(hash: HashOfParts, bytes: (hex: string) => Uint8Array) {
  const node = (left: string, right: string) => hash(NODE, bytes(left), bytes(right));

  /** The tree with one more leaf, whose data are the 32 bytes of `digest` (lower-case hex). */
  function append({ size, roots }: MerkleEdge, digest: string): MerkleEdge {
    let root = hash(LEAF, bytes(digest));
    const rest = [...roots];
    // Each trailing bit that is set is a perfect subtree of the size that the new one has grown to.
    for (let left = size; left % 2 === 1; left = (left - 1) / 2) root = node(rest.pop()!, root);
    return { size: size + 1, roots: [...rest, root] };
  }

  /** The tree's root hash, lower-case hex; of the empty tree the hash of nothing (RFC 9162, 2.1.1). */
  function rootOf({ roots }: MerkleEdge): string {
    if (roots.length === 0) return hash();
    return roots.reduceRight((right, left) => node(left, right));
  }

  return { append, rootOf };
}
