import type { Event, Position } from './event.js';
import type { JsonObject } from './json.js';

/**
 * A pure fold of events into documents: no clock, no randomness, no reads. `indexes` names the fields of each index:
 * queries match a prefix and sort by the rest, then by id. At most one field may end in `[]`: a list of strings, each
 * with its own entry. A first field that ends in `?` makes the index sparse: without documents where it is null, false
 * or not above 0, which no query may name.
 */
export interface Projection<D extends JsonObject = JsonObject> {
  readonly name: string;
  readonly version: number;
  readonly types: readonly string[];
  /** Folds every stored event instead, including unknown types. */
  readonly raw?: boolean;
  readonly indexes: { readonly [name: string]: readonly string[] };
  /**
   * Common prefix of all ids: a field and a separator, as in `muse/`. A sharded store then keeps the documents of a
   * muse together.
   */
  readonly idsBegin?: string;
  /**
   * Indexes, each beginning with a muse id field, that find all documents with personal values of that muse.
   * `Forgotten` changes them in addition to `keys`.
   */
  readonly holders?: readonly string[];
  keys(event: Event): readonly string[];
  evolve(document: D | undefined, event: Event, id: string): D | null;
}

export interface StoredDocument<D = JsonObject> {
  readonly id: string;
  readonly position: Position;
  readonly body: D;
}
