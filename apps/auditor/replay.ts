import { documentsDigest, replayProjections } from '#libs/audit/replay.js';
import type { EventSource } from '#libs/audit/sources/source.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import type { CommandReport } from '#libs/terminal/command-line.js';

export async function replayReport(source: EventSource): Promise<CommandReport> {
  const bars = new ProgressBars();
  const all = await replayProjections(source, PROJECTIONS, bars.partBar('Replaying'));
  bars.end();
  const projections = all.map(({ projection: { name, version }, documents }) => {
    return { name, version, documents: documents.size, sha256: documentsDigest(documents) };
  });
  const lines = projections.map(({ name, version, documents, sha256 }) => {
    return `${`${name}@${version}`.padEnd(20)}${String(documents).padStart(9)}  ${sha256}`;
  });
  return { ok: true, json: { ok: true, origin: source.origin, projections }, text: lines.join('\n') };
}
