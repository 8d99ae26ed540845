import type { ClaimStreams } from '#libs/claims/claim-streams.js';
import { Claimed } from '#libs/streams/claim.js';
import type { EventOf } from '#libs/streams/define.js';
import { Muse } from '#libs/streams/muse.js';
import { newEvents } from '#libs/event-log/carry-out.js';
import type { Journal } from '#libs/event-log/journal.js';
import { type Event, START } from '#libs/kernel/event.js';

const PAGE = 1_000;
/** How many claims are written at the same moment. */
const AT_ONCE = 100;
/** The cause of every event that an import adds, by which a second attempt knows them. */
export const IMPORT_CAUSE = 'import';

type Kind = EventOf<typeof Claimed>['data']['kind'];

export interface ClaimingDependencies {
  readonly journal: Journal;
  readonly claimStreams: ClaimStreams;
  readonly now: number;
  readonly reason: string;
}

/** A muse as it is folded, with the event by which it holds each of its things, by the thing's claim stream. */
interface Holder {
  readonly state: Muse;
  readonly revision: number;
  readonly things: ReadonlyMap<string, string>;
}

/**
 * Appends a `Claimed` for every key, wallet and name that a muse holds by its state; nothing where the log was written
 * with this vault's HMAC key, so that they are there. Each has an id derived from its stream, so that a second attempt
 * writes none twice. Answers how many there are.
 */
export async function claimWhatIsHeld(
  dependencies: ClaimingDependencies,
  progress: (events: number) => void,
): Promise<number> {
  const { holders, claimed } = await fold(dependencies, progress);
  const held = [...holders].flatMap(([owner, { things, revision }]) =>
    [...things].map(([stream, event]) => ({ stream, owner, event, revision })),
  );
  // One claim that this key names too says that the log was written with it.
  if (held.some(({ stream }) => claimed.has(stream))) return 0;
  const events = held.map(thing => claimOf(thing, dependencies));
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const some = events.slice(from, from + AT_ONCE);
    await Promise.all(some.map(event => dependencies.journal.append(event.stream, 'none', [event])));
  }
  return events.length;
}

async function fold({ journal, claimStreams }: ClaimingDependencies, progress: (events: number) => void) {
  const holders = new Map<string, Holder>();
  const claimed = new Set<string>();
  let done = 0;
  for (let after = START; ;) {
    const { events, next } = await journal.readAll(after, PAGE);
    for (const event of events) {
      if (event.type === Claimed.type && event.cause !== IMPORT_CAUSE) claimed.add(event.stream);
      if (event.stream.startsWith('muse-'))
        holders.set(event.stream, taken(holders.get(event.stream), event, claimStreams));
    }
    progress((done += events.length));
    if (next === after) return { holders, claimed };
    after = next;
  }
}

function taken(before: Holder | undefined, event: Event, claimStreams: ClaimStreams): Holder {
  const state = Muse.evolve(before?.state ?? Muse.initial, event);
  const held = claimStreams.heldBy(state);
  const things = new Map(held.map(stream => [stream, before?.things.get(stream) ?? event.id]));
  return { state, revision: event.revision, things };
}

interface Held {
  readonly stream: string;
  readonly owner: string;
  readonly event: string;
  readonly revision: number;
}

function claimOf({ stream, owner, event, revision }: Held, { now, reason }: ClaimingDependencies) {
  const kind = stream.split('-')[1] as Kind;
  const context = {
    actor: 'service',
    at: now,
    requestKey: `import/${stream}`,
    cause: IMPORT_CAUSE,
    decidedBy: 'import-claim@1',
    authorization: { mode: 'operator', reason } as const,
    basedOn: { [owner]: revision },
  };
  const [claim] = newEvents([Claimed({ kind, owner, event, payment: null })], stream, context);
  return claim!;
}
