import { readFileSync, statSync } from 'node:fs';
import { parseSignedCheckpoint, NOTE_BYTES_MAX, type SignedCheckpoint } from './checkpoint.js';
import { exportSource } from './sources/export.js';
import type { EventSource } from './sources/source.js';

/** What somebody kept of a log, to hold it against later. */
export interface KeptEvidence {
  readonly checkpoints: readonly SignedCheckpoint[];
  readonly exports: readonly EventSource[];
}

/** Each file is a checkpoint or an export. Throws a sentence for one that is neither. */
export async function readKeptEvidence(files: readonly string[]): Promise<KeptEvidence> {
  const notes = files.filter(file => statSync(file).size <= NOTE_BYTES_MAX && !isExport(readFileSync(file, 'utf8')));
  const exports = files.filter(file => !notes.includes(file)).map(exportSource);
  return { checkpoints: notes.map(readKeptCheckpoint), exports: await Promise.all(exports) };
}

/** An export begins with its manifest, which is an object. */
const isExport = (text: string) => text.startsWith('{');

/** Throws a sentence for a file that holds no checkpoint. */
export function readKeptCheckpoint(file: string): SignedCheckpoint {
  const checkpoint = parseSignedCheckpoint(readFileSync(file, 'utf8'), 'The kept checkpoint');
  if (!checkpoint) throw new Error(`${file} holds no signed checkpoint.`);
  return checkpoint;
}
