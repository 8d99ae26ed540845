/** SHA-256 of the concatenated parts, lower-case hex. */
export type HashOfParts = (...parts: Uint8Array[]) => string;

/** Domain separation of RFC 9162, 2.1.1. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Roots of the perfect subtrees of an append-only Merkle tree, largest first: enough to append and to get the root. */
export interface MerkleEdge {
  readonly size: number;
  readonly roots: readonly string[];
}

export const EMPTY_EDGE: MerkleEdge = { size: 0, roots: [] };

export function createMerkleTree(hash: HashOfParts, bytes: (hex: string) => Uint8Array) {
  const node = (left: string, right: string) => hash(NODE, bytes(left), bytes(right));

  /** `digest`: 32 bytes, lower-case hex. */
  function append({ size, roots }: MerkleEdge, digest: string): MerkleEdge {
    let root = hash(LEAF, bytes(digest));
    const rest = [...roots];
    // Each trailing set bit is a subtree as large as the new one, and merges with it.
    for (let left = size; left % 2 === 1; left = (left - 1) / 2) root = node(rest.pop()!, root);
    return { size: size + 1, roots: [...rest, root] };
  }

  /** Root hash (RFC 9162, 2.1.1), lower-case hex. */
  function rootOf({ roots }: MerkleEdge): string {
    if (roots.length === 0) return hash();
    return roots.reduceRight((right, left) => node(left, right));
  }

  return { append, rootOf };
}
