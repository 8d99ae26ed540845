/**
 * Lies of an operator that holds every key. A file beside this one tests them:
 *
 *     const { lie } = useHonestLog();
 *     lie('a job with another title is found', 'decision', log => void (log.first('JobPosted').data['seats'] = 9));
 *
 * `log` is a copy of one real log with all commands (`honest-story.ts`). `first`, `find` and `sameRequest` return its
 * events, as the feed shows them; change their members. A sealed value is `log.seal(value)`. `insert` and `remove` keep
 * revisions right, `sign` signs a changed request again with the key of its agent, and `cutAfter` drops what follows.
 * Digests, tree and signed checkpoint are made again after the change. `see('sentence', log => ...)` expects no finding:
 * the other side of a rule. Findings of the kinds `beside` follow from the way in which it changes the log.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { DECISIONS, REQUEST_RULES } from '#libs/service/decision-table.js';
import { checkCheckpointSigner, parseSignedCheckpoint } from '#libs/audit/checkpoint.js';
import { reportErasedValues } from '#libs/audit/erased-values.js';
import { checkPayments } from '#libs/audit/payments-on-chain.js';
import { type Finding, type FindingKind, findingLine } from '#libs/audit/findings.js';
import { LogVerifier } from '#libs/audit/verify-log.js';
import { MESSAGE_TAG } from '#libs/client/index.js';
import { PURCHASES, SALES } from '#libs/service/sales.js';
import { type HonestStory, honestStory } from './honest-story.js';
import { LyingLog, ORIGIN } from './lying-log.js';

type Change = (log: LyingLog) => void | Promise<void>;

const VERIFIED = {
  tag: MESSAGE_TAG,
  decisions: DECISIONS,
  requests: REQUEST_RULES,
  sales: SALES,
  purchases: PURCHASES,
};

/** Verifies as `auditor verify` does. `rpc` has addresses of nodes by the short name of their chain. */
export async function audit(log: LyingLog, rpc?: ReadonlyMap<string, string>): Promise<readonly Finding[]> {
  const { events, checkpoint } = log.publish();
  const signed = parseSignedCheckpoint(checkpoint, 'The checkpoint of the service')!;
  const source = {
    origin: ORIGIN,
    events: async function* () {
      yield* events;
    },
  };
  const verifier = new LogVerifier({}, { ...VERIFIED, checkpoints: [signed], erasuresUpTo: signed.size });
  await verifier.examine(source);
  await reportErasedValues(verifier.erased.find(), null, verifier.findings, REQUEST_RULES);
  const { findings, facts } = await verifier.finish();
  checkCheckpointSigner(signed, facts.issuerKeys(), findings);
  if (rpc) await checkPayments({ ...facts, payments: facts.acceptedPayments() }, rpc, findings);
  return findings.list;
}

export function useHonestLog() {
  let story: HonestStory;
  beforeAll(async () => void (story = await honestStory()), 120_000);

  async function findingsAfter(change: Change): Promise<readonly Finding[]> {
    const log = new LyingLog(story);
    await change(log);
    return audit(log);
  }

  function lie(sentence: string, kind: FindingKind, change: Change): void {
    test(sentence, async () => {
      const findings = await findingsAfter(change);
      expect(findings.map(findingLine).concat(findings.map(({ kind }) => kind))).toContain(kind);
    });
  }

  function see(sentence: string, change: Change, ...beside: FindingKind[]): void {
    test(sentence, async () => {
      const findings = await findingsAfter(change);
      expect(findings.filter(({ kind }) => !beside.includes(kind)).map(findingLine)).toEqual([]);
    });
  }

  return { lie, see, honest: () => new LyingLog(story) };
}
