import type { ClaimStreams } from '#libs/claims/claim-streams.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Fact } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { formatDecidedBy, type Decision } from '#libs/endpoints/decision.js';
import { bindHouse, houseBinding, tokenRevocations, endTokens } from './import-decisions.js';
import { IMPORT_CAUSE } from '#libs/kernel/causes.js';
import { applyToHolder, type Holdings } from './holdings.js';

export interface TrustDependencies {
  readonly journal: Journal;
  readonly claimStreams: ClaimStreams;
  /** The public key that the house has in this vault; asked for where there is a house. */
  readonly houseKey: () => Promise<string>;
  readonly now: number;
  readonly reason: string;
  /** The root of what is imported: a log may be imported several times on its way, each time once. */
  readonly root: string;
}

/** What the one whose log it was can do with it no longer. */
export interface RevokedTrust {
  /** How many tokens were ended. */
  readonly tokens: number;
  /** Whether the house was bound to this vault's key. */
  readonly house_bound: boolean;
}

/**
 * Ends the tokens of a log that another vault wrote, and binds the house to the key that this vault holds; brings
 * `holders` up to date. A second attempt finds nothing left to be done.
 */
export async function revokeOldTrust(
  { holders, isOwn }: Holdings,
  dependencies: TrustDependencies,
): Promise<RevokedTrust> {
  let tokens = 0;
  for (const [stream, { state }] of holders) {
    if (isOwn || !isKnownMuse(state)) continue;
    tokens += state.tokens.size;
    await appendDecision(holders, stream, endTokens, tokenRevocations(state), dependencies);
  }
  const house = holders.get(Muse.streamName(SYSTEM_ACCOUNT_ID));
  const facts = house ? houseBinding(house.state, await dependencies.houseKey()) : [];
  await appendDecision(holders, Muse.streamName(SYSTEM_ACCOUNT_ID), bindHouse, facts, dependencies);
  return { tokens, house_bound: facts.length > 0 };
}

async function appendDecision(
  holders: Holdings['holders'],
  stream: string,
  decision: Decision,
  facts: readonly Fact[],
  { journal, claimStreams, now, reason, root }: TrustDependencies,
): Promise<void> {
  if (facts.length === 0) return;
  const before = holders.get(stream)!;
  const context = {
    actor: 'operator',
    at: now,
    requestKey: `import/${root}/${stream}`,
    cause: IMPORT_CAUSE,
    decidedBy: formatDecidedBy(decision),
    authorization: { mode: 'operator', reason } as const,
    basedOn: {},
  };
  const written = await journal.append(stream, before.revision, newEvents(facts, stream, context));
  holders.set(
    stream,
    written.reduce((holder, event) => applyToHolder(holder, event, claimStreams), before),
  );
}
