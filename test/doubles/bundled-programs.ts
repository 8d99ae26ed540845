import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformedSources } from './transformed-sources.js';

const BUNDLE = fileURLToPath(new URL('./bundle.mjs', import.meta.url));

let made: string | undefined;

/** Returns the bundle of a program, which starts three times faster than its sources. */
export function bundledProgram(name: 'gateway' | 'projector' | 'service-process'): string {
  made ??= bundle();
  return join(made, `${name}.js`);
}

function bundle(): string {
  const sources = transformedSources();
  const { status, stderr } = spawnSync(process.execPath, [BUNDLE, sources], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return join(sources, 'programs');
}
