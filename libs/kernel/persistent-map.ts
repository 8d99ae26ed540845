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
    return find(this.root, key)?.value;
  }

  has(key: K): boolean {
    return find(this.root, key) !== undefined;
  }

  with(key: K, value: V): PersistentMap<K, V> {
    const root = put(this.root, { key, value, rank: rankOf(key), left: null, right: null });
    return new PersistentMap(root, this.has(key) ? this.size : this.size + 1);
  }

  without(key: K): PersistentMap<K, V> {
    return this.has(key) ? new PersistentMap(taken(this.root, key), this.size - 1) : this;
  }

  /** In the order of the keys. */
  *[Symbol.iterator](): Generator<readonly [K, V]> {
    yield* entries(this.root);
  }
}

function find<K, V>(tree: Tree<K, V>, key: K): Node<K, V> | undefined {
  let node = tree;
  while (node !== null && node.key !== key) node = key < node.key ? node.left : node.right;
  return node ?? undefined;
}

/** As deep as the new node's rank wants it; what stood there is divided to its two sides. */
function put<K, V>(tree: Tree<K, V>, node: Node<K, V>): Node<K, V> {
  if (tree === null) return node;
  if (tree.key === node.key) return { ...tree, value: node.value };
  if (isAbove(node, tree)) return { ...node, left: before(tree, node.key), right: behind(tree, node.key) };
  return node.key < tree.key ? { ...tree, left: put(tree.left, node) } : { ...tree, right: put(tree.right, node) };
}

/** Without the node of the key, whose two sides become one. */
function taken<K, V>(tree: Tree<K, V>, key: K): Tree<K, V> {
  if (tree === null) return null;
  if (tree.key === key) return joined(tree.left, tree.right);
  return key < tree.key ? { ...tree, left: taken(tree.left, key) } : { ...tree, right: taken(tree.right, key) };
}

/** Two trees as one; every key of the first is smaller than those of the second. */
function joined<K, V>(one: Tree<K, V>, other: Tree<K, V>): Tree<K, V> {
  if (one === null || other === null) return one ?? other;
  return isAbove(one, other)
    ? { ...one, right: joined(one.right, other) }
    : { ...other, left: joined(one, other.left) };
}

function isAbove<K, V>(one: Node<K, V>, other: Node<K, V>): boolean {
  return one.rank === other.rank ? one.key < other.key : one.rank > other.rank;
}

function before<K, V>(tree: Tree<K, V>, key: K): Tree<K, V> {
  if (tree === null) return null;
  return tree.key < key ? { ...tree, right: before(tree.right, key) } : before(tree.left, key);
}

function behind<K, V>(tree: Tree<K, V>, key: K): Tree<K, V> {
  if (tree === null) return null;
  return tree.key > key ? { ...tree, left: behind(tree.left, key) } : behind(tree.right, key);
}

function* entries<K, V>(tree: Tree<K, V>): Generator<readonly [K, V]> {
  if (tree === null) return;
  yield* entries(tree.left);
  yield [tree.key, tree.value];
  yield* entries(tree.right);
}

function rankOf(key: string | number): number {
  const text = String(key);
  let hash = BASIS;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  // The last characters alone would decide without this: ids that follow each other would stand in one line.
  hash = Math.imul(hash ^ (hash >>> 15), BASIS);
  return (hash ^ (hash >>> 13)) >>> 0;
}
