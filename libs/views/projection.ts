import type { TSchema } from 'typebox';
import type { EventOf } from '#libs/domain/define.js';
import { Forgotten } from '#libs/domain/muse.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { DocumentOf } from './document-schema.js';

/** How many hex digits of its hash stand for a shape. */
const SHAPE_DIGITS = 8;

type NamedType = { readonly type: string };

/** What one type of event does to one document. */
export interface ProjectionStep<D> {
  readonly type: string;
  readonly keys: (event: Event) => readonly string[];
  readonly evolve: (document: D | undefined, event: Event, id: string) => D | null;
}

/** `on(Hired, event => [key], (document, event) => document)`: a step with the event's own type. */
export function on<D, E extends NamedType>(
  type: E,
  keys: (event: EventOf<E>) => readonly string[],
  evolve: (document: D | undefined, event: EventOf<E>, id: string) => D | null,
): ProjectionStep<D> {
  return { type: type.type, keys: keys as ProjectionStep<D>['keys'], evolve: evolve as ProjectionStep<D>['evolve'] };
}

/** As `on`, for events that change documents which others have opened; without the document nothing happens. */
export function onExisting<D, E extends NamedType>(
  type: E,
  keys: (event: EventOf<E>) => readonly string[],
  evolve: (document: D, event: EventOf<E>, id: string) => D,
): ProjectionStep<D> {
  return on<D, E>(type, keys, (document, event, id) => (document ? evolve(document, event, id) : null));
}

/** What a build of documents is made for: older documents are of another shape, or are found another way. */
interface PinnedShape {
  readonly version: number;
  readonly document: TSchema;
  readonly indexes: Projection['indexes'];
}

interface DocumentsDeclaration<S extends TSchema> {
  /** `hires`: the file that declares it is `libs/features/hires/views/hires.ts`. */
  readonly name: string;
  readonly version: number;
  /** The shape that version has: a version belongs to one shape, and a shape to one version. */
  readonly shape: string;
  /** What every one of its documents is like. */
  readonly document: S;
}

/** What becomes of documents once a muse whose values they may hold has erased them. */
interface ErasureRule<D> {
  /** Indexes, each of which begins with the field that names such a muse. */
  readonly by: readonly string[];
  /** As if the muse had never said anything; null removes the document. */
  readonly erase: (document: D, muse: string) => D | null;
}

interface ProjectionDeclaration<S extends TSchema> extends DocumentsDeclaration<S> {
  readonly indexes?: Projection['indexes'];
  readonly idsBegin?: string;
  readonly forgets?: ErasureRule<DocumentOf<S>>;
  readonly steps: readonly ProjectionStep<DocumentOf<S>>[];
}

interface EveryEventDeclaration<S extends TSchema> extends DocumentsDeclaration<S> {
  readonly indexes?: Projection['indexes'];
  readonly keys: (event: StoredEvent) => readonly string[];
  readonly evolve: (document: DocumentOf<S> | undefined, event: StoredEvent, id: string) => DocumentOf<S>;
}

interface WholeLogDeclaration<S extends TSchema> extends DocumentsDeclaration<S> {
  /** Of its one document. */
  readonly id: string;
  readonly evolve: (document: DocumentOf<S> | undefined, event: StoredEvent) => DocumentOf<S>;
}

/** A projection that says what its documents are like. */
export interface DeclaredProjection<D extends JsonObject = JsonObject> extends Projection<D> {
  readonly document: TSchema;
}

/** A projection from its steps, one for each type of event at most. */
export function defineProjection<S extends TSchema>(
  declaration: ProjectionDeclaration<S>,
): DeclaredProjection<DocumentOf<S> & JsonObject> {
  const { name, version, shape, document, indexes = {}, idsBegin, forgets } = declaration;
  const steps = forgets ? [...declaration.steps, createErasureStep(forgets)] : declaration.steps;
  assertPinned(name, shape, { version, document, indexes });
  type D = DocumentOf<S> & JsonObject;
  const byType = new Map(steps.map(step => [step.type, step as unknown as ProjectionStep<D>]));
  if (byType.size !== steps.length) throw new Error(`${name} handles a type of event twice.`);
  return {
    name,
    version,
    document,
    indexes,
    ...(idsBegin !== undefined && { idsBegin }),
    ...(forgets && { holders: forgets.by }),
    types: [...byType.keys()],
    keys: event => byType.get(event.type)?.keys(event) ?? [],
    evolve: (before, event, id) => {
      const step = byType.get(event.type);
      return step ? step.evolve(before, event, id) : (before ?? null);
    },
  };
}

/** Which documents it changes follows from the documents. */
function createErasureStep<D>({ erase }: ErasureRule<D>): ProjectionStep<D> {
  return onExisting<D, typeof Forgotten>(
    Forgotten,
    () => [],
    (document, { data }) => erase(document, data.muse_id) as D,
  );
}

/** A projection of every event, as it is stored and whether this build knows its type or not. */
export function defineEveryEventProjection<S extends TSchema>(
  declaration: EveryEventDeclaration<S>,
): DeclaredProjection<DocumentOf<S> & JsonObject> {
  const { name, version, shape, document, indexes = {}, keys, evolve } = declaration;
  assertPinned(name, shape, { version, document, indexes });
  return {
    name,
    version,
    document,
    indexes,
    raw: true,
    types: [],
    keys: event => keys(event as StoredEvent),
    evolve: (before, event, id) => evolve(before, event as StoredEvent, id),
  };
}

/** The same into one document. */
export function defineWholeLogProjection<S extends TSchema>(
  declaration: WholeLogDeclaration<S>,
): DeclaredProjection<DocumentOf<S> & JsonObject> {
  return defineEveryEventProjection<S>({ ...declaration, keys: () => [declaration.id] });
}

/** Documents of another shape under the same version would be read where they are, and never be built anew. */
function assertPinned(name: string, pinned: string, shape: PinnedShape): void {
  const own = hashShape(shape);
  if (pinned === own) return;
  const next = shape.version + 1;
  throw new Error(
    `The documents of "${name}" have another shape than the one pinned for version ${shape.version}: ` +
      `raise the version to ${next} and pin shape "${hashShape({ ...shape, version: next })}", ` +
      `or pin shape "${own}" where version ${shape.version} is the one that brings this shape, ` +
      `in ${fileOf(name)}.`,
  );
}

const fileOf = (name: string) => `views/${name.replaceAll('_', '-')}.ts`;

function hashShape({ version, document, indexes }: PinnedShape): string {
  return sha256Hex(canonicalJson({ version, document, indexes })).slice(0, SHAPE_DIGITS);
}
