import type { TSchema } from 'typebox';
import type { EventOf } from '#libs/domain/define.js';
import { Forgotten } from '#libs/domain/muse.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { DocumentOf } from './document-schema.js';

const SHAPE_DIGITS = 8;

type NamedType = { readonly type: string };

export interface ProjectionStep<D> {
  readonly type: string;
  readonly keys: (event: Event) => readonly string[];
  readonly evolve: (document: D | undefined, event: Event, id: string) => D | null;
}

/** `on(Hired, event => [key], (document, event) => document)` */
export function on<D, E extends NamedType>(
  type: E,
  keys: (event: EventOf<E>) => readonly string[],
  evolve: (document: D | undefined, event: EventOf<E>, id: string) => D | null,
): ProjectionStep<D> {
  return { type: type.type, keys: keys as ProjectionStep<D>['keys'], evolve: evolve as ProjectionStep<D>['evolve'] };
}

/** As `on`, but ignores events whose document does not exist. */
export function onExisting<D, E extends NamedType>(
  type: E,
  keys: (event: EventOf<E>) => readonly string[],
  evolve: (document: D, event: EventOf<E>, id: string) => D,
): ProjectionStep<D> {
  return on<D, E>(type, keys, (document, event, id) => (document ? evolve(document, event, id) : null));
}

interface PinnedShape {
  readonly version: number;
  readonly document: TSchema;
  readonly indexes: Projection['indexes'];
}

interface DocumentsDeclaration<S extends TSchema> {
  /** Names the file too: `hires` is declared in `libs/features/hires/views/hires.ts`. */
  readonly name: string;
  readonly version: number;
  readonly shape: string;
  readonly document: S;
}

interface ErasureRule<D> {
  /** Indexes whose first field is the id of the muse. */
  readonly by: readonly string[];
  /** Returns the document without the muse's values; null removes it. */
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
  readonly id: string;
  readonly evolve: (document: DocumentOf<S> | undefined, event: StoredEvent) => DocumentOf<S>;
}

export interface DeclaredProjection<D extends JsonObject = JsonObject> extends Projection<D> {
  readonly document: TSchema;
}

export function defineProjection<S extends TSchema>(
  declaration: ProjectionDeclaration<S>,
): DeclaredProjection<DocumentOf<S> & JsonObject> {
  const { name, version, shape, document, indexes = {}, idsBegin, forgets } = declaration;
  const steps = forgets ? [...declaration.steps, createErasureStep(forgets)] : declaration.steps;
  assertPinned(name, shape, { version, document, indexes });
  type D = DocumentOf<S> & JsonObject;
  const byType = new Map(steps.map(step => [step.type, step as unknown as ProjectionStep<D>]));
  if (byType.size !== steps.length) throw new Error(`${name} declares two steps for one event type.`);
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

/** The store finds the documents through `holders`, so the step has no keys. */
function createErasureStep<D>({ erase }: ErasureRule<D>): ProjectionStep<D> {
  return onExisting<D, typeof Forgotten>(
    Forgotten,
    () => [],
    (document, { data }) => erase(document, data.muse_id) as D,
  );
}

/** Folds every event as stored, including types that this version does not know. */
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

export function defineWholeLogProjection<S extends TSchema>(
  declaration: WholeLogDeclaration<S>,
): DeclaredProjection<DocumentOf<S> & JsonObject> {
  return defineEveryEventProjection<S>({ ...declaration, keys: () => [declaration.id] });
}

/** Without a new version, documents of the old shape would be read as they are and never be rebuilt. */
function assertPinned(name: string, pinned: string, shape: PinnedShape): void {
  const hash = hashShape(shape);
  if (pinned === hash) return;
  const next = shape.version + 1;
  throw new Error(
    `The documents of "${name}" do not have the shape pinned for version ${shape.version}: ` +
      `raise the version to ${next} and pin shape "${hashShape({ ...shape, version: next })}", ` +
      `or pin shape "${hash}" if version ${shape.version} is not released yet, ` +
      `in ${fileOf(name)}.`,
  );
}

const fileOf = (name: string) => `views/${name.replaceAll('_', '-')}.ts`;

function hashShape({ version, document, indexes }: PinnedShape): string {
  return sha256Hex(canonicalJson({ version, document, indexes })).slice(0, SHAPE_DIGITS);
}
