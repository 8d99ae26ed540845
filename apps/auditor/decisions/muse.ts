import type { Asked, Judged } from '#libs/verbs/decision.js';
import { GIVEN_HASH } from '#libs/audit/decisions/given.js';
import type { EventOf } from '#libs/streams/define.js';
import { ClaimLost, Joined, Muse, ProfileUpdated, Registered, TokenIssued, Verified } from '#libs/streams/muse.js';
import { IdentityDto, joinAndVerify, registerAndJoin } from '#libs/features/identity/commands/identity.js';
import { Join, JoinDto, join } from '#libs/features/identity/commands/join.js';
import { Quickstart, QuickstartDto, quickstart } from '#libs/features/identity/commands/quickstart.js';
import { Register, register } from '#libs/features/identity/commands/register.js';
import { openHouse } from '#libs/features/identity/house-muse.js';
import { issuedEmail } from '#libs/features/identity/issued-email.js';
import { type NewKeyHolder, RegisterDto } from '#libs/features/identity/new-identity.js';
import { ProfileDto, UpdateProfile, updateProfile } from '#libs/features/profile/commands/profile.js';
import { TOKEN_DAYS } from '#libs/http/authentication/bearer.js';
import { validate } from '#libs/http/validate.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { agentId, COUNTERS_MAX } from '#libs/kernel/ids.js';
import { tidyName } from '#libs/kernel/names.js';
import type { Settled } from '#libs/payments/purchase.js';
import { shown } from '#libs/verbs/decision.js';
import { effect, own, request, ruled } from './request.js';

type NewMuse = EventOf<typeof Registered>['data'];

/** The domain of issued addresses is a setting, so it is the event's. */
const domainOf = (email: string | null) => email?.split('@')[1] ?? '';

/** Whom a newcomer was referred by: the muse it named, unless that one was unknown when it was looked for. */
function referrer(named: string | undefined, { event, byNow }: Asked): string | null {
  const { referred_by: said } = event.data as { readonly referred_by?: string | null };
  if (!said || said !== named) return null;
  return byNow(Muse.named(said), Muse).status === 'unknown' ? null : said;
}

/** The id that a key gets: the first that was free, which is the event's to say. */
function idOf(publicKey: string, { event }: Asked): string {
  for (let counter = 0; counter < COUNTERS_MAX; counter += 1) {
    const id = agentId(publicKey, counter);
    if (Muse.named(id) === event.stream) return id;
  }
  return agentId(publicKey);
}

function registered(dto: RegisterDto, asked: Asked): Fact[] {
  const museId = idOf(dto.public_key, asked);
  const email = issuedEmail(tidyName(dto.name), museId, domainOf((asked.event.data as NewMuse).email));
  const holder: NewKeyHolder = { museId, email, referredBy: referrer(dto.referred_by, asked) };
  return register(asked.own(Muse), new Register(dto, asked.context), holder);
}

/** Nobody signed what a quickstart asked for, so what it says of itself is the event's; the rest is decided. */
function started(asked: Asked): Fact[] {
  const { data, at } = asked.event as EventOf<typeof Registered>;
  const texts = Object.entries(data).filter(([, value]) => typeof value === 'string' || typeof value === 'boolean');
  const dto = Object.assign(
    new QuickstartDto(),
    Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
  );
  const { muse_id: museId, skills, referred_by: referredBy } = data;
  const identity = { name: shown(data.name), headline: shown(data.headline), email: shown(data.email) };
  const token = { hash: GIVEN_HASH, expires_at: at + TOKEN_DAYS * DAY_MS };
  return quickstart(asked.own(Muse), new Quickstart(dto, asked.context), {
    ...identity,
    ...{ museId, skills, referredBy, token },
  });
}

interface Subject extends NewKeyHolder {
  readonly created: boolean;
}

const subjectOf = ({ accepted }: Settled) => shown(accepted.data.subject) as unknown as Subject;
const inMuse = (payment: Settled) => Muse.named(subjectOf(payment).museId);

/** Two decisions that one payment causes: the identity, and behind it in the same stream its wallet. */
function identityMade(payment: Settled, { event, context, own: state }: Asked): Fact[] {
  if (event.type !== Registered.type) return joinAndVerify(state(Muse), subjectOf(payment), payment, context);
  const { dto } = validate(IdentityDto, shown(payment.accepted.data.fields));
  return registerAndJoin(state(Muse), dto, subjectOf(payment), context);
}

const ownStream = (_dto: object, { event }: Asked) => Muse.named(event.actor);

export const MUSE_DECISIONS: readonly Judged[] = [
  request('register', {
    ...{ dto: RegisterDto, writes: [Registered], caller: 'newKey' },
    stream: (dto, asked) => Muse.named(idOf(dto.public_key, asked)),
    decide: registered,
  }),
  effect('identity', { writes: [Registered, Joined, Verified], stream: inMuse, decide: identityMade }),
  own('quickstart', 'service', [Registered, Joined, TokenIssued], started),
  own('open-house', 'service', [Registered, Joined], asked => {
    const { public_key, email } = (asked.event as EventOf<typeof Registered>).data;
    return openHouse(asked.own(Muse), shown(public_key), shown(email), asked.context);
  }),
  request('join', {
    ...{ dto: JoinDto, writes: [Joined, ProfileUpdated], caller: 'known', stream: ownStream },
    decide: (dto, asked) => join(asked.own(Muse), new Join(dto, asked.context), referrer(dto.referred_by, asked)),
  }),
  request('profile', {
    ...{ dto: ProfileDto, writes: [ProfileUpdated], caller: 'joined', stream: ownStream },
    decide: (dto, { context, own: state }) => updateProfile(state(Muse), new UpdateProfile(dto, context)),
  }),
  ruled('lose-claim', [ClaimLost], 'It names a claim of its muse that no payment finishes and that stood unfinished.'),
];
