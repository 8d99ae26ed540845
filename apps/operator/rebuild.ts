import { Rebuild, type RebuildReport } from '#libs/documents/rebuild/rebuild.js';
import type { OnProgress } from '#libs/documents/filling/fill-progress.js';
import type { Projection } from '#libs/kernel/projection.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { PROJECTIONS } from '#libs/features/projections.js';

export interface RebuildRequest {
  /** Names of projections; none for all of them. */
  readonly projections: readonly string[];
  /** Compares and leaves everything as it is. */
  readonly dryRun: boolean;
  /** Drops a rebuild that was not finished, and does not continue it. */
  readonly startOver?: boolean;
  readonly progress?: OnProgress;
  /** How many events are folded at most before what has changed is written: what a kill costs. */
  readonly writeEvents?: number;
}

/**
 * Rebuilds documents beside a running service, or without one, and makes the new ones the live ones. Throws a sentence
 * for a projection that there is none of, and where another process rebuilds the same.
 */
export async function rebuild(settings: Settings, asked: RebuildRequest): Promise<RebuildReport> {
  const projections = findProjections(asked.projections);
  const stores = await openStores(settings);
  try {
    const parts = { journal: stores.journal, store: stores.documents, clock: clockOf(settings), projections };
    const { progress: onProgress, ...options } = asked;
    return await new Rebuild(parts, { ...options, onProgress }).run();
  } finally {
    await stores.close();
  }
}

function findProjections(names: readonly string[]): readonly Projection[] {
  if (names.length === 0) return PROJECTIONS;
  const known = new Map(PROJECTIONS.map(projection => [projection.name, projection]));
  return [...new Set(names)].map(name => {
    const projection = known.get(name);
    if (!projection) throw new Error(`There is no projection ${name}, but ${[...known.keys()].join(', ')}.`);
    return projection;
  });
}
