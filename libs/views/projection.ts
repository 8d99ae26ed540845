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

/** Removes the documents. */
export const removeOn = <D, E extends NamedType>(
  type: E,
  keys: (event: EventOf<E>) => readonly string[],
): ProjectionStep<D> => on<D, E>(type, keys, () => null);

/** Keys a document by each of these fields. */
export const by =
  <F extends string>(...fields: readonly F[]) =>
  ({ data }: { readonly data: { readonly [N in F]: string | number } }): string[] =>
    fields.map(field => String(data[field]));

interface PinnedShape {
  readonly version: number;
  readonly document: TSchema;
  readonly indexes: Projection['indexes'];
}

interface DocumentsDeclaration {
  readonly version?: number;
  /** Pins schema and indexes of the version. */
  readonly shape: string;
  readonly indexes?: Projection['indexes'];
}

interface ErasureRule<D> {
  /** Indexes whose first field is the id of the muse. */
  readonly by: readonly string[];
  /** Returns the document without the muse's values; null removes it. */
  readonly erase: (document: D, muse: string) => D | null;
}

interface ProjectionDeclaration<D> extends DocumentsDeclaration {
  readonly idsBegin?: string;
  readonly forgets?: ErasureRule<D>;
  readonly steps: readonly ProjectionStep<D>[];
}

interface EveryEventDeclaration<D> extends DocumentsDeclaration {
  readonly keys: (event: StoredEvent) => readonly string[];
  readonly evolve: (document: D | undefined, event: StoredEvent, id: string) => D;
}

export interface DeclaredProjection<D extends JsonObject = JsonObject> extends Projection<D> {
  readonly document: TSchema;
  /** Set if the shape is not the pinned one. */
  readonly shapeFault?: string;
}

/** `name` names the file too: `hires` is declared in `libs/features/hires/views/hires.ts`. */
export function defineProjection<S extends TSchema>(
  name: string,
  document: S,
  declaration: ProjectionDeclaration<DocumentOf<S>>,
): DeclaredProjection<DocumentOf<S> & JsonObject> {
  const { idsBegin, forgets } = declaration;
  const steps = forgets ? [...declaration.steps, createErasureStep(forgets)] : declaration.steps;
  type D = DocumentOf<S> & JsonObject;
  const byType = indexSteps(name, steps as unknown as readonly ProjectionStep<D>[]);
  return {
    ...pinShape(name, document, declaration),
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

/** Adds the steps that later features declare for documents of an earlier one. */
export function extendProjection<D extends JsonObject>(
  base: DeclaredProjection<D>,
  ...extensions: readonly (readonly ProjectionStep<D>[])[]
): DeclaredProjection<D> {
  const byType = indexSteps(base.name, extensions.flat(), base.types);
  return {
    ...base,
    types: [...base.types, ...byType.keys()],
    keys: event => (byType.get(event.type) ?? base).keys(event),
    evolve: (before, event, id) => (byType.get(event.type) ?? base).evolve(before, event, id),
  };
}

function indexSteps<D>(name: string, steps: readonly ProjectionStep<D>[], earlierTypes: readonly string[] = []) {
  const byType = new Map(steps.map(step => [step.type, step]));
  if (new Set([...earlierTypes, ...byType.keys()]).size !== earlierTypes.length + steps.length)
    throw new Error(`${name} declares two steps for one event type.`);
  return byType;
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
  name: string,
  document: S,
  { keys, evolve, ...declaration }: EveryEventDeclaration<DocumentOf<S>>,
): DeclaredProjection<DocumentOf<S> & JsonObject> {
  return {
    ...pinShape(name, document, declaration),
    raw: true,
    types: [],
    keys: event => keys(event as StoredEvent),
    evolve: (before, event, id) => evolve(before, event as StoredEvent, id),
  };
}

/** Without a new version, documents of the old shape would be read as they are and never be rebuilt. */
function pinShape(name: string, document: TSchema, declaration: DocumentsDeclaration) {
  const { version = 1, shape, indexes = {} } = declaration;
  const declared = { version, document, indexes };
  const hash = hashShape(declared);
  if (shape === hash) return { name, ...declared };
  const next = version + 1;
  const shapeFault =
    `The documents of "${name}" do not have the shape pinned for version ${version}: ` +
    `raise the version to ${next} and pin shape "${hashShape({ ...declared, version: next })}", ` +
    `or pin shape "${hash}" if version ${version} is not released yet, ` +
    `in views/${name.replaceAll('_', '-')}.ts.`;
  return { name, ...declared, shapeFault };
}

/** Throws one sentence for each projection whose shape is not the pinned one. */
export function withPinnedShapes(projections: readonly DeclaredProjection[]): readonly DeclaredProjection[] {
  const faults = projections.flatMap(({ shapeFault }) => shapeFault ?? []);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return projections;
}

function hashShape(shape: PinnedShape): string {
  return sha256Hex(canonicalJson(shape)).slice(0, SHAPE_DIGITS);
}
