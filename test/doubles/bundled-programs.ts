import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformedSources } from './transformed-sources.js';

const BUNDLE = fileURLToPath(new URL('./bundle.mjs', import.meta.url));
/** What threads are of stands beside them. */
const PROGRAMS = {
  gateway: 'apps/gateway/main.js',
  projector: 'apps/projector/main.js',
  'service-process': 'test/faults/service-process.js',
  'projections-thread': 'libs/service/projections-thread.js',
  'sqlite.fill-thread.worker': 'libs/documents/sqlite.fill-thread.worker.js',
};

let made: string | undefined;

/** The file of a service that is started again and again: with all that it imports, in a third of the time. */
export function bundledProgram(name: keyof typeof PROGRAMS): string {
  made ??= bundle();
  return join(made, `${name}.js`);
}

function bundle(): string {
  const sources = transformedSources();
  const folder = join(sources, 'programs');
  const programs = Object.entries(PROGRAMS).map(([name, file]) => `${name}=${join(sources, file)}`);
  const { status, stderr } = spawnSync(process.execPath, [BUNDLE, folder, ...programs], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return folder;
}
