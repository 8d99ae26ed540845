import { IMPORT_CAUSE } from '#libs/kernel/causes.js';
import { Claimed } from '#libs/domain/claim.js';
import type { EventOf } from '#libs/domain/define.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Holder } from './holdings.js';

/** How many claims are written at the same moment. */
const PARALLEL_MAX = 100;

type ClaimKind = EventOf<typeof Claimed>['data']['kind'];

export interface ClaimingDependencies {
  readonly journal: Journal;
  readonly now: number;
  readonly reason: string;
}

/**
 * Appends a `Claimed` for every key, wallet and name that a muse holds by its state. Each has an id derived from its
 * stream, so that a second attempt writes none twice. Answers how many there are.
 */
export async function claimHoldings(
  holders: ReadonlyMap<string, Holder>,
  dependencies: ClaimingDependencies,
): Promise<number> {
  const held = [...holders].flatMap(([owner, { things, revision }]) =>
    [...things].map(([stream, event]) => ({ stream, owner, event, revision })),
  );
  const events = held.map(thing => buildClaim(thing, dependencies));
  for (let from = 0; from < events.length; from += PARALLEL_MAX) {
    const some = events.slice(from, from + PARALLEL_MAX);
    await Promise.all(some.map(event => dependencies.journal.append(event.stream, 'none', [event])));
  }
  return events.length;
}

interface HeldThing {
  readonly stream: string;
  readonly owner: string;
  readonly event: string;
  readonly revision: number;
}

function buildClaim({ stream, owner, event, revision }: HeldThing, { now, reason }: ClaimingDependencies) {
  const kind = stream.split('-')[1] as ClaimKind;
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
