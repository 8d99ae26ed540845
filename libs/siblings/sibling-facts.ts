import { isSiblingId } from '#libs/kernel/ids.js';
import { endVerification, revokeAllTokens } from '#libs/domain/access-ends.js';
import type { EventOf } from '#libs/domain/define.js';
import {
  isKnownMuse,
  isPresentMuse,
  KeyBound,
  Muse,
  ProfileUpdated,
  Registered,
  TokenRevoked,
  VerificationEnded,
} from '#libs/domain/muse.js';
import {
  defineDecision,
  assertInStream,
  assertAudit,
  type ReplayedDecision,
  requireVisible,
} from '#libs/endpoints/decision.js';
import type { SiblingIdentity } from './sibling-identity.js';

/** Registers a sibling identity at its first signed request here. Its headline stays empty until it joins. */
export function importedFacts(muse: Muse, { name, avatar_url, bio, ...identity }: SiblingIdentity, email: string) {
  if (isKnownMuse(muse)) return [];
  const profile = { name, headline: '', ...(bio !== null && { bio }), ...(avatar_url !== null && { avatar_url }) };
  return [Registered({ ...identity, ...profile, email, referred_by: null, src: null })];
}

/** A new key at the sibling network ends everything that relied on the old one. */
export function keyFacts(muse: Muse, replaces: string | null, public_key: string) {
  if (!isPresentMuse(muse) || replaces === null || muse.public_key !== replaces || replaces === public_key) return [];
  const { muse_id } = muse;
  return [
    KeyBound({ muse_id, public_key, replaces }),
    ...endVerification(muse, 'key_changed'),
    ...revokeAllTokens(muse),
  ];
}

export function nameFacts(muse: Muse, name: string) {
  return isPresentMuse(muse) && muse.name !== name ? [ProfileUpdated({ muse_id: muse.muse_id, name })] : [];
}

/** The replay takes the network's answer from the event, because the network may answer differently by now. */
function siblingMuse(replay: ReplayedDecision): Muse {
  const { actor, stream } = replay.event;
  assertAudit(
    isSiblingId(actor) && stream === Muse.streamName(actor),
    'The event is not about an identity of a sibling network.',
  );
  return replay.own(Muse);
}

export const importSibling = defineDecision('import-sibling', {
  by: 'service',
  actor: null,
  writes: [Registered],
  causes: ['sibling/<muse_id>'],
  decide(replay) {
    const { muse_id, public_key, name, avatar_url, bio, email } = (replay.event as EventOf<typeof Registered>).data;
    assertInStream(replay.event, Muse.streamName(muse_id));
    const profile = { name: requireVisible(name), avatar_url: visibleOrNull(avatar_url), bio: visibleOrNull(bio) };
    return importedFacts(
      siblingMuse(replay),
      { muse_id, public_key: requireVisible(public_key), ...profile },
      requireVisible(email),
    );
  },
});

const visibleOrNull = (value: string | null | undefined): string | null =>
  value === undefined ? null : requireVisible(value);

export const followSiblingKey = defineDecision('follow-sibling-key', {
  by: 'service',
  actor: null,
  writes: [KeyBound, VerificationEnded, TokenRevoked],
  causes: ['sibling-key/<muse_id>/<key_replaced_at>/<public_key>'],
  decide(replay) {
    const { public_key, replaces } = (replay.event as EventOf<typeof KeyBound>).data;
    return keyFacts(siblingMuse(replay), replaces ?? null, requireVisible(public_key));
  },
});

export const followSiblingName = defineDecision('follow-sibling-name', {
  by: 'service',
  actor: null,
  writes: [ProfileUpdated],
  causes: ['sibling-name/<muse_id>/<revision>'],
  decide: replay =>
    nameFacts(siblingMuse(replay), requireVisible((replay.event as EventOf<typeof ProfileUpdated>).data.name)),
});
