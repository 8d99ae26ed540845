import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { SignedCheckpoint } from './checkpoint.js';
import { Findings } from './findings.js';
import { append, EMPTY_EDGE, type MerkleEdge, rootOf } from '#libs/platform/signing/merkle.js';
import type { EventSource, Manifest } from './sources/source.js';

export const EXPORT_FORMAT = 'agent-job-network/events';
export const EXPORT_VERSION = 1;

/** What the manifest says of the events, once all of them were seen. */
interface ExportTally {
  tree: MerkleEdge;
  head: string | null;
}

/**
 * Writes every event of a source into one file: first the manifest, then an event a line as the public feed shows it,
 * last `{digest}`, the sha256 of every line before it. The file is there as a whole or not at all.
 *
 * Throws a sentence where an event of the source cannot be read, or the file is there already.
 */
export async function writeExport(
  source: EventSource,
  file: string,
  progress: (events: number) => void = () => undefined,
): Promise<Manifest> {
  if (existsSync(file)) throw new Error(`${file} is there already: an export replaces nothing.`);
  const [body, whole] = [`${file}.events.part`, `${file}.part`];
  const tally: ExportTally = { tree: EMPTY_EDGE, head: null };
  const checkpoint = await source.checkpoint?.();
  try {
    await pipeline(eventLines(source, tally, progress), await createFile(body));
    const manifest = buildManifest(source, tally, checkpoint);
    await pipeline(exportLines(manifest, body), await createFile(whole));
    await syncFile(whole);
    await rename(whole, file);
    return manifest;
  } finally {
    await Promise.all([rm(body, { force: true }), rm(whole, { force: true })]);
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
  if (finding) throw new Error(`${source.origin} cannot be exported: ${finding.position} ${finding.problem}`);
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

/** The manifest stands first and is known last, so the events are collected before it is written. */
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

/** Open by now: a stream that opens its file later would make it anew after it was removed. */
const createFile = async (file: string) => (await open(file, 'w')).createWriteStream();

/** The bytes are on the disk before the file gets its name. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}
