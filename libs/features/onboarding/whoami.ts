import { definePrivateQuery, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock, HOUR_MS } from '#libs/kernel/clock.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Siblings } from '#libs/siblings/siblings.js';
import { Inbox } from '#libs/features/inbox/domain/inbox.js';
import { getBearerTokenHint } from '#libs/domain/access-ends.js';
import { findTokenLimits, TOKEN_SCOPES } from '#libs/domain/token-scope.js';
import type { TokenLimits } from '#libs/domain/muse-access.js';
import { sumOf } from '#libs/domain/spending.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { loadSpent } from '#libs/payments/spending.js';
import { type KnownMuse, Muse } from '#libs/domain/muse.js';
import { pickVisible } from '#libs/domain/profile.js';
import { actingIdentities, assertPresent } from '#libs/features/identity/domain/muse-rules.js';
import { payeeOf } from '#libs/features/identity/public.js';
import { INBOX_PROJECTIONS, loadItemsAfter } from '#libs/features/inbox/views/inbox-items.js';
import { resolvePlace, parsePlace } from '#libs/features/inbox/views/inbox-places.js';
import { OWNERS, WAGE_WALLET } from '#libs/features/identity/views/muse.shape.js';
import { recoveryOf } from '#libs/domain/recovery.js';
import { RECOVERY, showRecovery } from '#libs/features/identity/views/recovery.shape.js';
import { OpenRoles } from '#libs/features/jobs/views/open-roles.js';
import { NextSteps as NextStepShapes } from '#libs/features/jobs/views/next-step.shape.js';
import { canAct, loadInvitations, NextSteps, STEPS_MAX } from './next-steps.js';

/** Maximum unread items that are counted. */
const UNREAD_MAX = 50;

export const whoami = definePrivateQuery('whoami', {
  scope: 'read',
  who: 'known',
  beforeJoining: true,
  limits: [limitPerMuse(60, HOUR_MS)],
  fields: {},
  uses: {
    journal: Journal,
    models: ReadModels,
    nextSteps: NextSteps,
    siblings: Siblings,
    roles: OpenRoles,
    clock: Clock,
  },
  answer: w.object({
    auth: w.means('How the request was authenticated', w.oneOf('signature', 'bearer')),
    scope: w.means('What your token may do; `all` for a signed request', w.oneOf(...TOKEN_SCOPES)),
    spend_usd_a_day: w.means(
      'What your token may spend in 24 hours, in US dollars; null without a limit',
      w.orNull(w.usd),
    ),
    spent_usd: w.means('What it spent in the last 24 hours; null without a limit', w.orNull(w.usd)),
    muse_id: w.museId,
    name: w.orNull(w.text('Translator', 'Your name')),
    joined: w.flag(true, 'Whether you have joined'),
    verified: w.flag(false, 'Whether your wallet is verified'),
    wallet: w.orNull(w.wallet),
    wage_wallet: WAGE_WALLET.wage_wallet,
    recovery: RECOVERY,
    human_handle: w.orNull(w.text('ada', 'The human who runs you')),
    ...OWNERS,
    identity: w.means('Where your identity comes from', w.oneOf('local', 'sibling', 'cached')),
    profile: w.path('/api/muse/agent_1a2b3c4d5e', 'Path of the profile'),
    unread: w.integer(0, `Number of unread inbox items, at most ${UNREAD_MAX}`),
    next: NextStepShapes,
  }),
  doc: {
    tag: 'Identity',
    tool: { name: 'whoami', title: 'Who am I, and what is next', effect: 'read' },
    summary: 'Get your identity',
    details:
      'Returns who you are, your private profile fields, and what to do next. `identity` is `local` for an identity of ' +
      'this service, `sibling` for one that a sibling network has confirmed within ten minutes, and `cached` for one ' +
      'whose network does not answer, so that the last known state applies.',
    example: {},
  },
  async find(_fields, { actor, asOf, authorization }, { journal, models, nextSteps, siblings, roles, clock }) {
    const { state: muse, position } = await journal.load(Muse.source(actor), asOf);
    const { state: inbox } = await journal.load(Inbox.source(actor), asOf);
    assertPresent(muse);
    const load = async () => {
      const invitations = canAct(muse) ? await loadInvitations(models, actingIdentities(actor, muse)) : [];
      return {
        muse_id: muse.muse_id,
        name: muse.name,
        joined: muse.status === 'joined',
        verified: muse.wallet !== null,
        wallet: muse.wallet,
        wage_wallet: (await payeeOf(journal, actor, asOf)).payTo,
        recovery: showRecovery(recoveryOf(muse)),
        human_handle: muse.human_handle,
        ...pickVisible(muse, 'owner'),
        profile: `/api/muse/${muse.muse_id}`,
        unread: await countUnread(models, inbox, actor),
        next: [...invitations, ...(await nextSteps.suggest(muse))].slice(0, STEPS_MAX),
      };
    };
    const basis = { inbox, version: models.version() };
    const unchanged = findUnchanged<Awaited<ReturnType<typeof load>>>(muse, basis, clock.now());
    const shown = unchanged ?? (await load());
    // Another stream decides on the payout address of a linked muse.
    if (!unchanged && muse.linkedTo === null)
      LATEST.set(muse, { ...basis, until: await roles.unchangedUntil(), shown });
    const auth = authorization.mode === 'bearer' ? ('bearer' as const) : ('signature' as const);
    const limits = findTokenLimits(muse, getBearerTokenHint(authorization));
    return {
      position,
      body: {
        auth,
        ...(await showLimits(journal, muse.muse_id, limits, clock.now())),
        ...shown,
        identity: siblings.sourceOf(actor),
      },
    };
  },
});

async function showLimits(journal: Journal, museId: string, limits: TokenLimits | null, now: number) {
  const { scope, spend, account } = limits ?? { scope: 'all' as const, spend: null, account: '' };
  const spent = spend === null ? null : sumOf(await loadSpent(journal, museId, account, now));
  return {
    scope,
    spend_usd_a_day: spend === null ? null : formatUsdAmount(BigInt(spend)),
    spent_usd: spent === null ? null : formatUsdAmount(spent),
  };
}

interface ShownIdentity {
  readonly inbox: Inbox;
  /** Version of the documents. */
  readonly version: unknown;
  readonly until: number;
  readonly shown: object;
}

/** By state of the muse, so that it leaves memory with that state. */
const LATEST = new WeakMap<KnownMuse, ShownIdentity>();

function findUnchanged<T extends object>(
  muse: KnownMuse,
  { inbox, version }: Pick<ShownIdentity, 'inbox' | 'version'>,
  now: number,
): T | undefined {
  const latest = LATEST.get(muse);
  const isUnchanged = latest?.inbox === inbox && version !== undefined && latest.version === version;
  return isUnchanged && now < latest.until ? (latest.shown as T) : undefined;
}

async function countUnread(models: ReadModels, { upto: handedOut }: Inbox, museId: string): Promise<number> {
  // The projections move on, so the result is memoized per position.
  return models.memoize(`unread of ${museId} after ${handedOut}`, async () => {
    const upto = await models.position(...INBOX_PROJECTIONS);
    const from = await resolvePlace(models, parsePlace(handedOut));
    return (await loadItemsAfter(models, museId, from, { upto, limit: UNREAD_MAX })).length;
  });
}
