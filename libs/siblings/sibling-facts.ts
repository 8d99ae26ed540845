import { isSiblingId } from '#libs/kernel/ids.js';
import { tokensEnded, verificationEnded } from '#libs/domain/credentials.js';
import type { EventOf } from '#libs/domain/define.js';
import {
  isKnown,
  isPresent,
  KeyBound,
  Muse,
  ProfileUpdated,
  Registered,
  TokenRevoked,
  VerificationEnded,
} from '#libs/domain/muse.js';
import { decision, mustBeIn, mustHold, type ReplayedDecision, shown } from '#libs/endpoints/decision.js';
import type { SiblingIdentity } from './identity.js';

/** An identity that has signed here for the first time. It says nothing of what it does before it joins. */
export function importedFacts(muse: Muse, { name, avatar_url, bio, ...identity }: SiblingIdentity, email: string) {
  if (isKnown(muse)) return [];
  const said = { name, headline: '', ...(bio !== null && { bio }), ...(avatar_url !== null && { avatar_url }) };
  return [Registered({ ...identity, ...said, email, referred_by: null, src: null })];
}

/** Its network has another key than the one that was looked at: what rested on that one ends. */
export function keyFacts(muse: Muse, replaces: string | null, public_key: string) {
  if (!isPresent(muse) || replaces === null || muse.public_key !== replaces || replaces === public_key) return [];
  const { muse_id } = muse;
  return [KeyBound({ muse_id, public_key, replaces }), ...verificationEnded(muse, 'key_changed'), ...tokensEnded(muse)];
}

/** Its network calls it otherwise. */
export function nameFacts(muse: Muse, name: string) {
  return isPresent(muse) && muse.name !== name ? [ProfileUpdated({ muse_id: muse.muse_id, name })] : [];
}

/** What the network has said cannot be asked again: it is what the event says. */
function own(asked: ReplayedDecision): Muse {
  const { actor, stream } = asked.event;
  mustHold(isSiblingId(actor) && stream === Muse.named(actor), 'It is about no identity of a sibling network.');
  return asked.own(Muse);
}

export const importSibling = decision('import-sibling', {
  by: 'service',
  actor: null,
  writes: [Registered],
  decide(asked) {
    const { muse_id, public_key, name, avatar_url, bio, email } = (asked.event as EventOf<typeof Registered>).data;
    mustBeIn(asked.event, Muse.named(muse_id));
    const said = { name: shown(name), avatar_url: erased(avatar_url), bio: erased(bio) };
    return importedFacts(own(asked), { muse_id, public_key: shown(public_key), ...said }, shown(email));
  },
});

/** A text that was not said; one that was erased leaves it undecided. */
const erased = (value: string | null | undefined): string | null => (value === undefined ? null : shown(value));

export const followSiblingKey = decision('follow-sibling-key', {
  by: 'service',
  actor: null,
  writes: [KeyBound, VerificationEnded, TokenRevoked],
  decide(asked) {
    const { public_key, replaces } = (asked.event as EventOf<typeof KeyBound>).data;
    return keyFacts(own(asked), replaces ?? null, shown(public_key));
  },
});

export const followSiblingName = decision('follow-sibling-name', {
  by: 'service',
  actor: null,
  writes: [ProfileUpdated],
  decide: asked => nameFacts(own(asked), shown((asked.event as EventOf<typeof ProfileUpdated>).data.name)),
});
