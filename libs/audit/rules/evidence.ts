import { computeCommitment } from '#libs/kernel/commitment.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { ApplicationEdited, Applied } from '#libs/features/jobs/domain/application.js';
import type { EventOf } from '#libs/domain/define.js';
import { DeliveryRead, hasDelivery } from '#libs/features/hires/domain/hire.js';
import { taskAtAddress } from '#libs/features/instant/domain/instant.js';
import { OperatorVerified } from '#libs/domain/muse.js';
import type { AuditState } from './audit-state.js';
import { type Condition, ruleFor, failedConditions } from './rule.js';

/** The line of a signature base (RFC 9421, 2.5) that says whose signature it is, with the address in it. */
const AGENT_LINE = /^"signature-agent"[^:]*: .*"(https?:\/\/[^"]+)"/m;

/** The signature was valid then; where it is not shown, that it verifies is the word of the service. */
function checkOperatorSignature({ at, data }: EventOf<typeof OperatorVerified>): string[] {
  const { domain, public_key, expires_at, operator_signed: signed, operator_signature: signature } = data;
  const inTime: Condition = [at < expires_at, 'The signature of its operator had expired.'];
  if (signed === null || signature === null || public_key === null) return failedConditions(inTime);
  const agent = AGENT_LINE.exec(signed)?.[1];
  const named = agent !== undefined && new URL(agent).host.replace(/\.(?=:|$)/, '') === domain;
  return failedConditions(
    inTime,
    [named, 'What its operator has signed names another domain.'],
    [verifyStrict(public_key, signed, signature), 'The signature of its operator does not verify.'],
  );
}

/** The note is the one that was committed to, where it is shown with its salt. */
function checkNoteCommitment({ data }: EventOf<typeof Applied> | EventOf<typeof ApplicationEdited>): string[] {
  const { note, note_salt: salt, note_commitment: commitment } = data;
  const holds = note === null || salt === null || computeCommitment(salt, note) === commitment;
  return failedConditions([holds, 'Its note is not the one that it commits to.']);
}

/**
 * A reading of a delivered post or answer to a task has the digest of the text in the log. A reading that found it
 * erased, and a text that is no longer shown, are not compared.
 */
function checkDeliveryRead({ data }: EventOf<typeof DeliveryRead>, facts: AuditState): string[] {
  const { digest, bytes, delivery } = data;
  if (digest === null) return [];
  const hire = facts.hire(data.hire);
  const latest = hasDelivery(hire) && hire.delivery.delivery === delivery ? hire.delivery : null;
  const text = deliveredPostText(data, facts);
  const answer = latest?.url ? answerDigestAt(latest.url, data.worker, facts) : null;
  return failedConditions(
    [text === null || digest === sha256Hex(text), 'Its digest is not that of the post that was delivered.'],
    [answer === null || digest === answer, 'Its digest is not that of the answer that was delivered.'],
    [text === null || bytes === Buffer.byteLength(text), 'Its size is not that of the post that was delivered.'],
  );
}

/** Text of the post that was delivered as a version of a hire; null for none, and where it is not shown. */
function deliveredPostText({ hire, delivery }: EventOf<typeof DeliveryRead>['data'], facts: AuditState): string | null {
  const post = facts.deliveredPosts.get(`${hire}/${delivery}`);
  const state = post === undefined ? null : facts.post(post);
  return state?.status === 'posted' ? state.text : null;
}

/** The digest of the answer that is read at an address; null for an address of elsewhere. */
function answerDigestAt(url: string, worker: string, facts: AuditState): string | null {
  const task = taskAtAddress(url);
  return task === null ? null : (facts.instant(worker).tasks.get(task)?.answered?.data.digest ?? null);
}

/** Events that rest on texts, salts and signatures that a decision takes from the event. */
export const EVIDENCE_RULES = [
  ruleFor(Applied, checkNoteCommitment),
  ruleFor(ApplicationEdited, checkNoteCommitment),
  ruleFor(DeliveryRead, checkDeliveryRead),
  ruleFor(OperatorVerified, checkOperatorSignature),
];
