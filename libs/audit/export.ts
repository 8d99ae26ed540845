import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { SignedCheckpoint } from './checkpoint.js';
import { findingLine, Findings } from './findings.js';
import { append, EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';
import type { EventSource, Manifest } from './sources/source.js';

export const EXPORT_FORMAT = 'agent-job-network/events';
export const EXPORT_VERSION = 1;

interface ExportTally {
  tree: MerkleEdge;
  head: string | null;
}

/**
 * Writes a manifest, one line for each public event, and `{digest}`: the sha256 of all lines before it. Creates the
 * file completely or not at all. Throws if the file exists or an event cannot be read.
 */
export async function writeExport(
  source: EventSource,
  file: string,
  progress: (events: number) => void = () => undefined,
): Promise<Manifest> {
  if (existsSync(file))
    throw new Error(`${file} already exists. Choose another file: an export does not overwrite one.`);
  const [body, complete] = [`${file}.events.part`, `${file}.part`];
  const tally: ExportTally = { tree: EMPTY_EDGE, head: null };
  const checkpoint = await source.checkpoint?.();
  try {
    await pipeline(eventLines(source, tally, progress), await createFile(body));
    const manifest = buildManifest(source, tally, checkpoint);
    await pipeline(exportLines(manifest, body), await createFile(complete));
    await syncFile(complete);
    await rename(complete, file);
    return manifest;
  } finally {
    await Promise.all([rm(body, { force: true }), rm(complete, { force: true })]);
  }
}

async function* eventLines(source: EventSource, tally: ExportTally, progress: (events: number) => void) {
  const findings = new Findings();
  for await (const event of source.events(findings)) {
    yield `${JSON.stringify(event)}\n`;
    tally.tree = append(tally.tree, event.digest);
    tally.head = event.position;
    progress(tally.tree.size);
  }
  const [finding] = findings.list;
  if (finding) throw new Error(`${source.origin} cannot be exported: ${findingLine(finding)}`);
}

const buildManifest = (
  { origin }: EventSource,
  { tree, head }: ExportTally,
  checkpoint?: SignedCheckpoint,
): Manifest => ({
  format: EXPORT_FORMAT,
  version: EXPORT_VERSION,
  origin,
  size: tree.size,
  head,
  root: rootOf(tree),
  ...(checkpoint && { checkpoint: checkpoint.signed }),
});

/** The manifest needs the root, so the events are collected before it is written. */
async function* exportLines(manifest: Manifest, body: string) {
  const hash = createHash('sha256');
  const first = `${JSON.stringify(manifest)}\n`;
  hash.update(first);
  yield first;
  for await (const chunk of createReadStream(body)) {
    hash.update(chunk as Buffer);
    yield chunk as Buffer;
  }
  yield `${JSON.stringify({ digest: hash.digest('hex') })}\n`;
}

/** Opens the file now: a lazy stream could recreate a file that was already removed. */
const createFile = async (file: string) => (await open(file, 'w')).createWriteStream();

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}
