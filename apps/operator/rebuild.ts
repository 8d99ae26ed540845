import { Rebuild, type RebuildReport } from '#libs/documents/rebuild/rebuild.js';
import type { OnProgress } from '#libs/documents/filling/fill-progress.js';
import type { Projection } from '#libs/kernel/projection.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { PROJECTIONS } from '#libs/features/projections.js';

export interface RebuildRequest {
  /** Names of projections; empty means all. */
  readonly projections: readonly string[];
  /** Compares the new documents with the live ones and changes nothing. */
  readonly dryRun: boolean;
  /** Discards an unfinished rebuild instead of resuming it. */
  readonly startOver?: boolean;
  readonly progress?: OnProgress;
  /** Events folded between two writes: the work lost if the process is killed. */
  readonly writeEvents?: number;
}

/**
 * Also works beside a running service. Throws for an unknown projection, and if another process rebuilds the same one.
 */
export async function rebuild(settings: Settings, request: RebuildRequest): Promise<RebuildReport> {
  const projections = findProjections(request.projections);
  const stores = await openStores(settings);
  try {
    const parts = { journal: stores.journal, store: stores.documents, clock: clockOf(settings), projections };
    const { progress: onProgress, ...options } = request;
    return await new Rebuild(parts, { ...options, onProgress }).run();
  } finally {
    await stores.close();
  }
}

function findProjections(names: readonly string[]): readonly Projection[] {
  if (names.length === 0) return PROJECTIONS;
  const byName = new Map(PROJECTIONS.map(projection => [projection.name, projection]));
  return [...new Set(names)].map(name => {
    const projection = byName.get(name);
    if (!projection)
      throw new Error(`There is no projection ${name}. Projections are ${[...byName.keys()].join(', ')}.`);
    return projection;
  });
}
