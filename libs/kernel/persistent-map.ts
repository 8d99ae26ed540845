/** A place in the tree: keys are ordered from left to right, and no rank below is higher. */
interface Node<K, V> {
  readonly key: K;
  readonly value: V;
  readonly rank: number;
  readonly left: Tree<K, V>;
  readonly right: Tree<K, V>;
}
type Tree<K, V> = Node<K, V> | null;

/** Of FNV-1a, 32 bits wide. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A map that nobody changes: `with` and `without` answer another one that shares all but a few nodes with it, so that each state of
 * a fold can be kept, and the next one costs the logarithm of its size. A treap whose ranks are hashes of the keys: the
 * same entries make the same tree, in whatever order they came.
 */
export class PersistentMap<K extends string | number, V> implements Iterable<readonly [K, V]> {
  private constructor(
    private readonly root: Tree<K, V>,
    readonly size: number,
  ) {}

  static empty<K extends string | number, V>(): PersistentMap<K, V> {
    return new PersistentMap<K, V>(null, 0);
  }

  get(key: K): V | undefined {
    return findNode(this.root, key)?.value;
  }

  has(key: K): boolean {
    return findNode(this.root, key) !== undefined;
  }

  with(key: K, value: V): PersistentMap<K, V> {
    const root = insertNode(this.root, { key, value, rank: rankOf(key), left: null, right: null });
    return new PersistentMap(root, this.has(key) ? this.size : this.size + 1);
  }

  without(key: K): PersistentMap<K, V> {
    return this.has(key) ? new PersistentMap(removeNode(this.root, key), this.size - 1) : this;
  }

  /** In the order of the keys. */
  *[Symbol.iterator](): Generator<readonly [K, V]> {
    yield* iterateEntries(this.root);
  }
}

function findNode<K, V>(tree: Tree<K, V>, key: K): Node<K, V> | undefined {
  let node = tree;
  while (node !== null && node.key !== key) node = key < node.key ? node.left : node.right;
  return node ?? undefined;
}

/** As deep as the new node's rank wants it; what stood there is divided to its two sides. */
function insertNode<K, V>(tree: Tree<K, V>, node: Node<K, V>): Node<K, V> {
  if (tree === null) return node;
  if (tree.key === node.key) return { ...tree, value: node.value };
  if (isAbove(node, tree)) return { ...node, left: splitBefore(tree, node.key), right: splitAfter(tree, node.key) };
  return node.key < tree.key
    ? { ...tree, left: insertNode(tree.left, node) }
    : { ...tree, right: insertNode(tree.right, node) };
}

/** Without the node of the key, whose two sides become one. */
function removeNode<K, V>(tree: Tree<K, V>, key: K): Tree<K, V> {
  if (tree === null) return null;
  if (tree.key === key) return mergeTrees(tree.left, tree.right);
  return key < tree.key
    ? { ...tree, left: removeNode(tree.left, key) }
    : { ...tree, right: removeNode(tree.right, key) };
}

/** Two trees as one; every key of the first is smaller than those of the second. */
function mergeTrees<K, V>(one: Tree<K, V>, other: Tree<K, V>): Tree<K, V> {
  if (one === null || other === null) return one ?? other;
  return isAbove(one, other)
    ? { ...one, right: mergeTrees(one.right, other) }
    : { ...other, left: mergeTrees(one, other.left) };
}

function isAbove<K, V>(one: Node<K, V>, other: Node<K, V>): boolean {
  return one.rank === other.rank ? one.key < other.key : one.rank > other.rank;
}

function splitBefore<K, V>(tree: Tree<K, V>, key: K): Tree<K, V> {
  if (tree === null) return null;
  return tree.key < key ? { ...tree, right: splitBefore(tree.right, key) } : splitBefore(tree.left, key);
}

function splitAfter<K, V>(tree: Tree<K, V>, key: K): Tree<K, V> {
  if (tree === null) return null;
  return tree.key > key ? { ...tree, left: splitAfter(tree.left, key) } : splitAfter(tree.right, key);
}

function* iterateEntries<K, V>(tree: Tree<K, V>): Generator<readonly [K, V]> {
  if (tree === null) return;
  yield* iterateEntries(tree.left);
  yield [tree.key, tree.value];
  yield* iterateEntries(tree.right);
}

function rankOf(key: string | number): number {
  const text = String(key);
  let hash = BASIS;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  // The last characters alone would decide without this: ids that follow each other would stand in one line.
  hash = Math.imul(hash ^ (hash >>> 15), BASIS);
  return (hash ^ (hash >>> 13)) >>> 0;
}
