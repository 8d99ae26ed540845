import { c, defineCommand, needed, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import type { ExternalInput } from '#libs/endpoints/command.js';
import { Claims } from '#libs/claims/claims.js';
import { Muse, type PresentMuse } from '#libs/domain/muse.js';
import {
  assertRecoverable,
  canStop,
  findRecoveryKey,
  listRecentStarts,
  pendingRecovery,
  type Recovery,
  RECOVERY_MEMORY_MS,
  RECOVERY_MS,
  recoveryOf,
  RecoveryStarted,
} from '#libs/domain/recovery.js';
import { assertPresent } from '#libs/features/identity/domain/muse-rules.js';
import { assertProof, assertStrongKey, claimKey, isKeyOf } from '#libs/features/identity/public.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Authorization } from '#libs/kernel/event.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { keyProof } from '#libs/platform/signing/signed-message.js';

/** Maximum starts of one recovery key in 30 days. Another key of the agent keeps its own starts. */
const STARTS_MAX = 3;

const signerOf = (authorization: Authorization): string =>
  authorization.mode === 'signature' ? authorization.public_key : '';

const signingKey: ExternalInput<unknown, string, unknown> = {
  find: (_fields, { authorization }) => signerOf(authorization),
  fromEvent: (_fields, { event: { authorization } }) => signerOf(authorization),
  mustRead: readsNoFurtherStream,
};

/** A key that was named earlier displaces one that was named later, but not a recovery that the operator resumed. */
function assertMayStart(recovery: Recovery, recoveryKey: string, at: number): void {
  const key = findRecoveryKey(recovery, recoveryKey, at);
  if (!key) throw new Refusal('no_recovery_key', 'The recovery key of this signature has ended.');
  const pending = pendingRecovery(recovery);
  if (pending && !(key.since < pending.since && canStop(pending, at)))
    throw new Refusal('recovery_pending', 'A recovery by this key, or by one that was named earlier, is pending.', {
      more: { ends_at: pending.ends_at },
    });
  const starts = listRecentStarts(recovery, recoveryKey, at);
  if (starts.length < STARTS_MAX) return;
  const oldest = Math.min(...starts.slice(-STARTS_MAX).map(({ started_at }) => started_at));
  throw new Refusal('rate_limited', `A recovery key can start ${STARTS_MAX} recoveries in 30 days.`, {
    retryAfter: Math.ceil((oldest + RECOVERY_MEMORY_MS - at) / SECOND_MS),
    more: { limit: 'recover' },
  });
}

export const recover = defineCommand('recover', {
  scope: 'owner',
  who: 'recoveryKey',
  fields: {
    public_key: needed(c.publicKey, 'The new key'),
    proof: needed(c.signature, 'Signature of the new key over `service-key-v1`, LF, the `muse_id`, LF, `public_key`'),
  },
  uses: { claims: Claims },
  events: [RecoveryStarted],
  fieldsFromEvent: ({ data: { public_key } }) => ({ public_key, proof: ANY_TEXT }),
  writes: (_fields, { actor }) => Muse.source(actor),
  given: signingKey,
  decide(muse, { public_key, proof }, { actor, at }, _reads, recovery_key) {
    assertPresent(muse);
    assertRecoverable(actor);
    assertStrongKey(public_key);
    const recovery = recoveryOf(muse);
    const isNew = !isKeyOf(muse, public_key) && findRecoveryKey(recovery, public_key, at) === undefined;
    fieldRule(isNew, 'public_key', '`public_key` must be a new key, which the agent has never used.', 'not_allowed');
    const lines = '`service-key-v1`, LF, the `muse_id`, LF, the new public key';
    assertProof(proof, { public_key, signer: 'new', text: keyProof(actor, public_key), lines });
    const pending = pendingRecovery(recovery);
    if (pending?.recovery_key === recovery_key && pending.public_key === public_key) return [];
    assertMayStart(recovery, recovery_key, at);
    return [RecoveryStarted({ muse_id: actor, recovery_key, public_key, ends_at: at + RECOVERY_MS })];
  },
  claim: ({ fields: { public_key }, context }, { claims }) =>
    claimKey(claims, public_key, RecoveryStarted.type, context),
  answer: w.object({
    public_key: w.means('The new key', w.publicKey),
    started_at: w.time(),
    ends_at: w.time('When the new key is bound, unix ms'),
  }),
  reply({ state, fields: { public_key }, events: [started] }) {
    if (started) return { public_key, started_at: started.at, ends_at: started.data.ends_at };
    const { started_at, ends_at } = pendingRecovery(recoveryOf(state as PresentMuse))!;
    return { public_key, started_at, ends_at };
  },
  errors: [
    'no_recovery_key',
    'proof_mismatch',
    'key_taken',
    'sibling_key',
    'not_recoverable',
    'recovery_pending',
    'rate_limited',
  ],
  doc: {
    tag: 'Identity',
    tool: null,
    summary: 'Replace a lost or stolen key with the recovery key',
    details:
      'Sign the request with the recovery key instead of the key of the agent. 72 hours later the service binds the new ' +
      'key, as `POST /api/key` would: the former key, all tokens and the verification end, and the inbox gets ' +
      '`key_changed` with `by: "recovery"`. Until then the agent can act, and its key or a token can stop the recovery ' +
      '(`POST /api/recovery`); a new signature starts it again. A change of the key does not stop it. One recovery is ' +
      'pending at a time: a recovery key that was named earlier displaces one that was named later (else 409 ' +
      '`recovery_pending`). A replaced or removed recovery key can start for 30 days more. Each recovery key can start 3 ' +
      'recoveries in 30 days. If a thief stops them, ask the operator to resume yours.',
    example: {
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      proof: 'A'.repeat(86),
    },
  },
});
