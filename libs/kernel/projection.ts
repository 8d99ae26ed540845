import type { Event, Position } from './event.js';
import type { JsonObject } from './json.js';

/**
 * A pure fold of events into one kind of document. No clock, no randomness, no reading of anything else.
 *
 * `indexes` lists, by name, the top-level fields that a reader can page by: any prefix of them is compared for
 * equality, the rest orders the list; the document's id breaks ties. A field whose name ends in `[]` is a list of texts:
 * a document stands in the index once for each, and a reader compares that field with one text. An index has one at most.
 */
export interface Projection<D extends JsonObject = JsonObject> {
  readonly name: string;
  readonly version: number;
  /** What it folds; other types, and versions that this build does not know, are passed. */
  readonly types: readonly string[];
  /** Whether it folds every event of the log instead, those that this build does not know too, as they are stored. */
  readonly raw?: boolean;
  readonly indexes: { readonly [name: string]: readonly string[] };
  /**
   * What all its ids begin with: a field, and the character behind its value, as in `muse/`. A store that is spread over
   * several machines by id then has what one muse is asked for in one place.
   */
  readonly idsBegin?: string;
  /**
   * Of documents that hold what several may have written: the indexes that begin with the field of a muse whose values
   * a document may hold. Each of these documents is changed by that muse's `Forgotten`, which `keys` does not name.
   */
  readonly holders?: readonly string[];
  /** The ids of the documents that the event changes: few, and known from the event alone. */
  keys(event: Event): readonly string[];
  /** The document after the event; `null` removes it. */
  evolve(document: D | undefined, event: Event, id: string): D | null;
}

/** A document with where it stands: `position` is that of the last event that changed it. */
export interface StoredDocument<D = JsonObject> {
  readonly id: string;
  readonly position: Position;
  readonly body: D;
}
