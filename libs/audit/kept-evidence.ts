import { readFileSync, statSync } from 'node:fs';
import { parseSignedCheckpoint, NOTE_BYTES_MAX, type SignedCheckpoint } from './checkpoint.js';
import { exportSource } from './sources/export.js';
import type { EventSource } from './sources/source.js';

export interface KeptEvidence {
  readonly checkpoints: readonly SignedCheckpoint[];
  readonly exports: readonly EventSource[];
}

/** Throws for a file that is neither a checkpoint nor an export. */
export async function readKeptEvidence(files: readonly string[]): Promise<KeptEvidence> {
  const notes = files.filter(file => statSync(file).size <= NOTE_BYTES_MAX && !isExport(readFileSync(file, 'utf8')));
  const exports = files.filter(file => !notes.includes(file)).map(exportSource);
  return { checkpoints: notes.map(readKeptCheckpoint), exports: await Promise.all(exports) };
}

const isExport = (text: string) => text.startsWith('{');

export function readKeptCheckpoint(file: string): SignedCheckpoint {
  const checkpoint = parseSignedCheckpoint(readFileSync(file, 'utf8'), 'The kept checkpoint');
  if (!checkpoint) throw new Error(`${file} does not contain a signed checkpoint.`);
  return checkpoint;
}
