import type { ClaimStreams } from '#libs/claims/claim-streams.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { EventOf } from '#libs/domain/define.js';
import { isKnownMuse, Muse, KeyBound, TokenRevoked } from '#libs/domain/muse.js';
import { revokeAllTokens } from '#libs/domain/access-ends.js';
import { formatDecidedBy, type Decision, defineDecision } from '#libs/endpoints/decision.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import { systemContext } from '#libs/kernel/decide.js';
import { type Fact, type Event, formatImportCause, IMPORT_FORM } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { applyToHolder, type Holdings } from './holdings.js';

interface TrustDependencies {
  readonly journal: Journal;
  readonly claimStreams: ClaimStreams;
  readonly houseKey: () => Promise<string>;
  readonly clock: Clock;
  readonly reason: string;
  /** Merkle root of the import: a log may be imported several times, but each root once. */
  readonly root: string;
}

export interface RevokedTrust {
  readonly tokens: number;
  readonly house_bound: boolean;
}

/** Ends the tokens of another vault's log, binds the house to this vault's key, and updates `holders`. Repeatable. */
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
  { journal, claimStreams, clock, reason, root }: TrustDependencies,
): Promise<void> {
  if (facts.length === 0) return;
  const before = holders.get(stream)!;
  const action = { at: clock.now(), cause: formatImportCause(root), decidedBy: formatDecidedBy(decision) };
  const context = systemContext('operator', reason, action);
  const written = await journal.append(stream, before.revision, newEvents(facts, stream, context));
  holders.set(
    stream,
    written.reduce((holder, event) => applyToHolder(holder, event, claimStreams), before),
  );
}

/** Token hashes are unsigned, so a service with another vault cannot trust those of the export. */
const tokenRevocations = (muse: Muse): Fact[] => (isKnownMuse(muse) ? revokeAllTokens(muse) : []);

export const endTokens = defineDecision('import-tokens', {
  by: 'operator',
  writes: [TokenRevoked],
  causes: [IMPORT_FORM],
  decide: ({ own }) => tokenRevocations(own(Muse)),
});

function houseBinding(muse: Muse, public_key: string): Fact[] {
  if (!isKnownMuse(muse) || muse.muse_id !== SYSTEM_ACCOUNT_ID || muse.public_key === public_key) return [];
  return [
    KeyBound({
      muse_id: SYSTEM_ACCOUNT_ID,
      public_key,
      ...(muse.public_key !== null && { replaces: muse.public_key }),
    }),
  ];
}

const boundKey = (event: Event) => (event.data as EventOf<typeof KeyBound>['data']).public_key;

export const bindHouse = defineDecision('import-house', {
  by: 'operator',
  writes: [KeyBound],
  causes: [IMPORT_FORM],
  decide: ({ event, own }) => houseBinding(own(Muse), boundKey(event)),
});
