interface Node<K, V> {
  readonly key: K;
  readonly value: V;
  readonly rank: number;
  readonly left: Tree<K, V>;
  readonly right: Tree<K, V>;
}
type Tree<K, V> = Node<K, V> | null;

const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Immutable map: a treap whose ranks are hashes of the keys. `with` and `without` take logarithmic time and share
 * nodes, so every state of a fold can be kept. Equal entries give equal trees.
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

  *[Symbol.iterator](): Generator<readonly [K, V]> {
    yield* iterateEntries(this.root);
  }
}

function findNode<K, V>(tree: Tree<K, V>, key: K): Node<K, V> | undefined {
  let node = tree;
  while (node !== null && node.key !== key) node = key < node.key ? node.left : node.right;
  return node ?? undefined;
}

function insertNode<K, V>(tree: Tree<K, V>, node: Node<K, V>): Node<K, V> {
  if (tree === null) return node;
  if (tree.key === node.key) return { ...tree, value: node.value };
  if (isAbove(node, tree)) return { ...node, left: splitBefore(tree, node.key), right: splitAfter(tree, node.key) };
  return node.key < tree.key
    ? { ...tree, left: insertNode(tree.left, node) }
    : { ...tree, right: insertNode(tree.right, node) };
}

function removeNode<K, V>(tree: Tree<K, V>, key: K): Tree<K, V> {
  if (tree === null) return null;
  if (tree.key === key) return mergeTrees(tree.left, tree.right);
  return key < tree.key
    ? { ...tree, left: removeNode(tree.left, key) }
    : { ...tree, right: removeNode(tree.right, key) };
}

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
  // Mixes again, because otherwise consecutive ids would give a degenerate tree.
  hash = Math.imul(hash ^ (hash >>> 15), BASIS);
  return (hash ^ (hash >>> 13)) >>> 0;
}
