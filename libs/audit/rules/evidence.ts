import { computeCommitment } from '#libs/kernel/commitment.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { ApplicationEdited, Applied } from '#libs/features/jobs/domain/application.js';
import type { EventOf } from '#libs/domain/define.js';
import { DeliveryRead, hasDelivery } from '#libs/features/hires/domain/hire.js';
import { taskAtAddress } from '#libs/features/jobs/domain/instant-names.js';
import { OperatorVerified } from '#libs/domain/muse.js';
import type { AuditState } from './audit-state.js';
import { type Condition, ruleFor, failedConditions } from './rule.js';

/** Component of a signature base (RFC 9421, 2.5) with the address of the signer. */
const AGENT_LINE = /^"signature-agent"[^:]*: .*"(https?:\/\/[^"]+)"/m;

function checkOperatorSignature({ at, data }: EventOf<typeof OperatorVerified>): string[] {
  const { domain, public_key, expires_at, operator_signed: signed, operator_signature: signature } = data;
  const isCurrent: Condition = [at < expires_at, 'The signature of its operator had expired.'];
  if (signed === null || signature === null || public_key === null) return failedConditions(isCurrent);
  const agent = AGENT_LINE.exec(signed)?.[1];
  const namesDomain = agent !== undefined && new URL(agent).host.replace(/\.(?=:|$)/, '') === domain;
  return failedConditions(
    isCurrent,
    [namesDomain, 'The text that its operator signed names another domain.'],
    [verifyStrict(public_key, signed, signature), 'The signature of its operator does not verify.'],
  );
}

function checkNoteCommitment({ data }: EventOf<typeof Applied> | EventOf<typeof ApplicationEdited>): string[] {
  const { note, note_salt: salt, note_commitment: commitment } = data;
  const isCommitted = note === null || salt === null || computeCommitment(salt, note) === commitment;
  return failedConditions([isCommitted, 'Its note does not match its commitment.']);
}

function checkDeliveryRead({ data }: EventOf<typeof DeliveryRead>, facts: AuditState): string[] {
  const { digest, bytes, media_type, delivery } = data;
  if (digest === null) return [];
  const hire = facts.hire(data.hire);
  const latest = hasDelivery(hire) && hire.delivery.delivery === delivery ? hire.delivery : null;
  const text = deliveredPostText(data, facts);
  const answer = latest?.url ? answerDigestAt(latest.url, data.worker, facts) : null;
  return failedConditions(
    [text === null || digest === sha256Hex(text), 'Its digest does not match the delivered post.'],
    [answer === null || digest === answer, 'Its digest does not match the delivered answer.'],
    [text === null || bytes === Buffer.byteLength(text), 'Its size does not match the delivered post.'],
    [text === null || media_type === 'text/plain', 'Its media type is not that of a post.'],
  );
}

function deliveredPostText({ hire, delivery }: EventOf<typeof DeliveryRead>['data'], facts: AuditState): string | null {
  const post = facts.deliveredPosts.get(`${hire}/${delivery}`);
  const state = post === undefined ? null : facts.post(post);
  return state?.status === 'posted' ? state.text : null;
}

function answerDigestAt(url: string, worker: string, facts: AuditState): string | null {
  const task = taskAtAddress(url);
  return task === null ? null : (facts.instant(worker).tasks.get(task)?.answered?.data.digest ?? null);
}

export const EVIDENCE_RULES = [
  ruleFor(Applied, checkNoteCommitment),
  ruleFor(ApplicationEdited, checkNoteCommitment),
  ruleFor(DeliveryRead, checkDeliveryRead),
  ruleFor(OperatorVerified, checkOperatorSignature),
];
