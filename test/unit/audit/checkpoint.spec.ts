import { describe, expect, test } from '@jest/globals';
import { SALES } from '#libs/service/sales.js';
import { checkCheckpointSigner, parseSignedCheckpoint } from '#libs/audit/checkpoint.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import { sign } from '#libs/platform/signing/ed25519.js';
import { checkpointText, signedNote } from '#libs/platform/signing/signed-note.js';
import { HonestLog, ISSUER_KEY, ISSUER_SEED, sourceOf, TAG } from './honest-log.js';

describe('a kept checkpoint', () => {
  async function issuerFindings(seed: Uint8Array): Promise<string[]> {
    const honest = await (await HonestLog.told()).shown();
    const { facts, findings, root } = await verifyLog(sourceOf(honest), {
      tag: TAG,
      sales: SALES,
    });
    const kept = { origin: 'jobs.example', size: honest.length, root };
    const text = checkpointText(kept);
    const note = signedNote(text, 'jobs.example', ISSUER_KEY, sign(seed, text));
    checkCheckpointSigner(parseSignedCheckpoint(note, 'The kept checkpoint')!, facts.issuerKeys(), findings);
    return findings.list.map(({ problem }) => problem);
  }

  test('passes if the issuer signed it', async () => {
    expect(await issuerFindings(ISSUER_SEED)).toEqual([]);
  });

  test('is reported if another key signed it', async () => {
    expect((await issuerFindings(new Uint8Array(32).fill(8)))[0]).toContain('names the issuer key');
  });
});
