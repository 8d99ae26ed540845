import { IMPORT_CAUSE, type Event, LOG_START } from '#libs/kernel/event.js';
import type { ClaimStreams } from '#libs/claims/claim-streams.js';
import { Claimed } from '#libs/domain/claim.js';
import { Muse } from '#libs/domain/muse.js';
import type { Journal } from '#libs/event-log/journal.js';

const PAGE_SIZE = 1_000;

/** Ids of the events by which a muse acquired its keys, wallets and names, keyed by claim stream. */
export interface Holder {
  readonly state: Muse;
  readonly revision: number;
  readonly things: ReadonlyMap<string, string>;
}

export interface Holdings {
  readonly holders: Map<string, Holder>;
  /** The log was written with this vault's HMAC key. */
  readonly isOwn: boolean;
}

interface HoldingsDependencies {
  readonly journal: Journal;
  readonly claimStreams: ClaimStreams;
}

export async function readHoldings(
  { journal, claimStreams }: HoldingsDependencies,
  progress: (events: number) => void,
): Promise<Holdings> {
  const holders = new Map<string, Holder>();
  const claimed = new Set<string>();
  let done = 0;
  for (let after = LOG_START; ;) {
    const { events, next } = await journal.readAll(after, PAGE_SIZE);
    for (const event of events) {
      if (event.type === Claimed.type && event.cause !== IMPORT_CAUSE) claimed.add(event.stream);
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
  const held = claimStreams.heldBy(state);
  const things = new Map(held.map(stream => [stream, before?.things.get(stream) ?? event.id]));
  return { state, revision: event.revision, things };
}
