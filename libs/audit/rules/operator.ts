import type { EventOf } from '#libs/streams/define.js';
import type { OperatorVerified } from '#libs/streams/muse.js';
import { verifyStrict } from '#libs/signing/ed25519.js';
import type { Condition } from './rule.js';

/** The line of a signature base (RFC 9421, 2.5) that says whose signature it is, with the address in it. */
const AGENT_LINE = /^"signature-agent"[^:]*: .*"(https?:\/\/[^"]+)"/m;

/** The signature was valid then; where it is not shown, that it verifies is the word of the service. */
export function operatorSigned({ at, data }: EventOf<typeof OperatorVerified>): Condition[] {
  const { domain, public_key, expires_at, operator_signed: signed, operator_signature: signature } = data;
  const inTime: Condition = [at < expires_at, 'The signature of its operator had expired.'];
  if (signed === null || signature === null || public_key === null) return [inTime];
  const agent = AGENT_LINE.exec(signed)?.[1];
  const named = agent !== undefined && new URL(agent).host.replace(/\.(?=:|$)/, '') === domain;
  return [
    inTime,
    [named, 'What its operator has signed names another domain.'],
    [verifyStrict(public_key, signed, signature), 'The signature of its operator does not verify.'],
  ];
}
