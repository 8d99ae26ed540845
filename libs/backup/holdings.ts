import { type Event, formatImportCause, isImportCause, LOG_START } from '#libs/kernel/event.js';
import type { ClaimStreams } from '#libs/claims/claim-streams.js';
import { Claimed } from '#libs/domain/claim.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { EventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { systemContext } from '#libs/kernel/decide.js';
import { mapParallel } from '#libs/platform/bounds/parallel.js';
import type { Journal } from '#libs/event-log/journal.js';

const PAGE_SIZE = 1_000;
const PARALLEL_MAX = 100;

/** Ids of the events by which a muse acquired its keys, wallets and names, keyed by claim stream. */
interface Holder {
  readonly state: Muse;
  readonly revision: number;
  readonly things: ReadonlyMap<string, string>;
}

export interface Holdings {
  readonly holders: Map<string, Holder>;
  /** The log was written with this vault's HMAC key. */
  readonly isOwn: boolean;
}

interface ClaimingDependencies {
  readonly claimStreams: ClaimStreams;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly reason: string;
  /** Merkle root of the import. */
  readonly root: string;
}

export async function readHoldings(
  journal: Journal,
  claimStreams: ClaimStreams,
  progress: (events: number) => void,
): Promise<Holdings> {
  const holders = new Map<string, Holder>();
  const claimed = new Set<string>();
  let done = 0;
  for (let after = LOG_START; ;) {
    const { events, next } = await journal.readAll(after, PAGE_SIZE);
    for (const event of events) {
      if (event.type === Claimed.type && !isImportCause(event.cause)) claimed.add(event.stream);
      if (event.stream.startsWith('muse-'))
        holders.set(event.stream, applyToHolder(holders.get(event.stream), event, claimStreams));
    }
    progress((done += events.length));
    if (next === after) break;
    after = next;
  }
  // The key of this vault derives a claim stream of the log only if it wrote the log.
  return { holders, isOwn: [...holders.values()].some(({ things }) => [...things.keys()].some(s => claimed.has(s))) };
}

export function applyToHolder(before: Holder | undefined, event: Event, claimStreams: ClaimStreams): Holder {
  const state = Muse.evolve(before?.state ?? Muse.initial, event);
  const held = claimStreams.heldBy(state, event.at);
  const things = new Map(held.map(stream => [stream, before?.things.get(stream) ?? event.id]));
  return { state, revision: event.revision, things };
}

/** Claims every key, wallet and name that a muse holds, and returns their number. Derived ids make it repeatable. */
export async function claimHoldings(
  holders: ReadonlyMap<string, Holder>,
  dependencies: ClaimingDependencies,
): Promise<number> {
  const { clock, claimStreams } = dependencies;
  const claims = [...holders].flatMap(([owner, { state, things, revision }]) =>
    claimStreams
      .heldBy(state, clock.now())
      .map(stream => ({ stream, origin: { owner, event: things.get(stream)!, revision } })),
  );
  await mapParallel(claims, PARALLEL_MAX, ({ stream, origin }) =>
    dependencies.journal.append(stream, 'none', [buildClaim(stream, origin, dependencies)]),
  );
  return claims.length;
}

function buildClaim(
  stream: string,
  { owner, event, revision }: { readonly owner: string; readonly event: string; readonly revision: number },
  { clock, reason, root }: ClaimingDependencies,
) {
  const kind = stream.split('-')[1] as EventOf<typeof Claimed>['data']['kind'];
  const action = { at: clock.now(), cause: formatImportCause(root), decidedBy: 'import-claim@1' };
  const context = {
    ...systemContext('operator', reason, action),
    actor: 'service',
    basedOn: { [owner]: revision },
  };
  const [claim] = newEvents([Claimed({ kind, owner, event, payment: null })], stream, context);
  return claim!;
}
