import { IMPORT_CAUSE } from '#libs/kernel/event.js';
import { Claimed } from '#libs/domain/claim.js';
import type { EventOf } from '#libs/domain/define.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Holder } from './holdings.js';

const PARALLEL_MAX = 100;

type ClaimKind = EventOf<typeof Claimed>['data']['kind'];

export interface ClaimingDependencies {
  readonly journal: Journal;
  readonly now: number;
  readonly reason: string;
}

/** Claims every key, wallet and name that a muse holds, and returns their number. Derived ids make it repeatable. */
export async function claimHoldings(
  holders: ReadonlyMap<string, Holder>,
  dependencies: ClaimingDependencies,
): Promise<number> {
  const holdings = [...holders].flatMap(([owner, { things, revision }]) =>
    [...things].map(([stream, event]) => ({ stream, owner, event, revision })),
  );
  const events = holdings.map(holding => buildClaim(holding, dependencies));
  for (let from = 0; from < events.length; from += PARALLEL_MAX) {
    const batch = events.slice(from, from + PARALLEL_MAX);
    await Promise.all(batch.map(event => dependencies.journal.append(event.stream, 'none', [event])));
  }
  return events.length;
}

interface Holding {
  readonly stream: string;
  readonly owner: string;
  readonly event: string;
  readonly revision: number;
}

function buildClaim({ stream, owner, event, revision }: Holding, { now, reason }: ClaimingDependencies) {
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
