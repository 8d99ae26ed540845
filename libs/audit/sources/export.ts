import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parseSignedCheckpoint, type SignedCheckpoint } from '#libs/audit/checkpoint.js';
import type { Findings } from '#libs/audit/findings.js';
import { parseJson } from '#libs/kernel/json.js';
import { EXPORT_FORMAT, EXPORT_VERSION } from '#libs/audit/export.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { parseLine, splitLines } from './lines.js';
import type { EventSource, Manifest } from './source.js';

export async function exportSource(file: string): Promise<EventSource> {
  const manifest = await readManifest(file);
  const { origin, checkpoint } = manifest;
  const events = (findings: Findings) => readEvents(file, manifest, findings);
  return {
    origin,
    manifest,
    events,
    ...(checkpoint !== undefined && { checkpoint: () => checkpointIn(file, checkpoint) }),
  };
}

async function checkpointIn(file: string, signed: string): Promise<SignedCheckpoint> {
  const checkpoint = parseSignedCheckpoint(signed, 'The checkpoint in the export');
  if (checkpoint) return checkpoint;
  throw new Error(`The manifest of ${file} has an invalid checkpoint.`);
}

async function readManifest(file: string): Promise<Manifest> {
  for await (const line of splitLines(createReadStream(file))) {
    const manifest = parseJson(line) as Manifest | null | undefined;
    if (manifest?.format !== EXPORT_FORMAT) break;
    if (manifest.version === EXPORT_VERSION) return manifest;
    throw new Error(
      `${file} is an export of version ${manifest.version}; this auditor reads version ${EXPORT_VERSION}.`,
    );
  }
  throw new Error(`${file} is not an export of an event log.`);
}

async function* readEvents(file: string, manifest: Manifest, findings: Findings): AsyncGenerator<PublicEvent> {
  const hash = createHash('sha256');
  let digest: string | undefined;
  let number = 0;
  for await (const line of splitLines(createReadStream(file))) {
    number += 1;
    const value = number === 1 ? undefined : (parseLine(line, number, findings) as PublicEvent | undefined);
    digest = trailingDigest(value);
    if (digest !== undefined) break;
    hash.update(`${line}\n`);
    if (value) yield value;
  }
  const actual = JSON.stringify(hash.digest('hex'));
  if (digest === undefined) findings.add('source', `${file} is incomplete: its last line, the digest, is missing.`);
  else if (digest !== actual) findings.add('source', `The lines of ${file} have the digest ${actual}, not ${digest}.`);
}

function trailingDigest(value: object | undefined): string | undefined {
  return value && !('type' in value) && 'digest' in value ? JSON.stringify(value.digest) : undefined;
}
