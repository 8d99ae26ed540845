import { verify, type KeyObject } from 'node:crypto';
import { DECISIONS } from '#libs/service/decision-table.js';
import { SALES } from '#libs/service/sales.js';
import type { ExaminedEvent } from '#libs/audit/checks/check.js';
import { SignatureCheck } from '#libs/audit/checks/signatures.js';
import { Findings } from '#libs/audit/findings.js';
import { exportSource } from '#libs/audit/sources/export.js';
import { examine, verifyLog } from '#libs/audit/verify-log.js';
import { importPublicKey } from '#libs/platform/signing/ed25519.js';

/**
 * Measures signatures of an export in a separate process. Arguments: mode, file, tag of signed messages.
 * `signatures` verifies all signed messages, `whole` runs `auditor verify`, `bare` is node:crypto alone.
 */
const [what, file, tag] = process.argv.slice(2) as [string, string, string];
const RUNS: { readonly [what: string]: () => Promise<{ ms: number; signatures: number }> } = {
  signatures,
  whole,
  bare,
};
const figures = await RUNS[what]!();
process.send!(figures, () => process.exit(0));

async function whole() {
  const start = performance.now();
  const { claims, findings } = await verifyLog(await exportSource(file), {
    tag,
    decisions: DECISIONS,
    sales: SALES,
  });
  mustBeClean(findings);
  return { ms: performance.now() - start, signatures: claims.verified };
}

async function signatures() {
  const all = await everyEvent();
  const findings = new Findings();
  const check = new SignatureCheck(findings, false);
  const start = performance.now();
  for (const seen of all) await check.examine(seen);
  await check.finish();
  mustBeClean(findings);
  return { ms: performance.now() - start, signatures: check.claims.verified };
}

async function bare() {
  const all: [Uint8Array, KeyObject, Uint8Array][] = [];
  for (const seen of await everyEvent()) {
    const signature = seen.readSignature();
    if (typeof signature === 'string') continue;
    all.push([signature.message, importPublicKey(signature.publicKey)!, Buffer.from(signature.signature, 'base64url')]);
  }
  const start = performance.now();
  const good = all.filter(([message, key, signature]) => verify(null, message, key, signature)).length;
  return { ms: performance.now() - start, signatures: good };
}

async function everyEvent(): Promise<ExaminedEvent[]> {
  const findings = new Findings();
  const all: ExaminedEvent[] = [];
  for await (const event of (await exportSource(file)).events(findings)) all.push(examine(event, tag, findings)!);
  return all;
}

function mustBeClean({ list: [finding] }: Findings): void {
  if (finding) throw new Error(`${finding.position}: ${finding.problem}`);
}
