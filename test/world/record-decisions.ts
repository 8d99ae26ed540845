import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { History } from '#libs/audit/history.js';
import type { Event } from '#libs/kernel/event.js';
import type { Decision, DecisionTable } from '#libs/verbs/decision.js';
import {
  decideAgain,
  fromJson,
  outcomesOfVariants,
  type Recorded,
  record,
  toJson,
} from '../vectors/recorded-decisions.js';

const FOLDER = new URL('../vectors/decisions/', import.meta.url);
/** How many of one decision are kept that wrote something, and how many that were refused. */
const WRITTEN_MAX = 4;
const REFUSED_MAX = 8;

/** The file of a decision's version. */
export const fileOf = (decision: Pick<Decision, 'name' | 'version'>) =>
  new URL(`${decision.name}.v${decision.version}.json`, FOLDER);

/**
 * Keeps what the events of a log were decided on, for `test/unit/decisions.spec.ts`: `RECORD_DECISIONS=<name>@<version>`
 * or `RECORD_DECISIONS=all` before a run of the flows. What is recorded of a version is never taken out.
 */
export function recordDecisions(events: readonly Event[], table: DecisionTable, wanted: string): void {
  const found = new Map<Decision, Recorded[]>();
  const history = new History();
  for (const event of events) {
    const judged = table.get(event.decided_by);
    if (judged && 'decide' in judged && (wanted === 'all' || wanted === event.decided_by)) {
      const recorded = record(judged, event, history);
      if (!isUndecided(recorded)) found.set(judged, [...(found.get(judged) ?? []), recorded]);
    }
    history.take(event);
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const [decision, recorded] of found) keep(decision, recorded);
}

/** What was decided on is private or was erased: nothing to hold on to. */
const isUndecided = ({ outcome }: Recorded) => 'refused' in outcome && outcome.refused === 'undecided';

function keep(decision: Decision, recorded: readonly Recorded[]): void {
  const file = fileOf(decision);
  const known = existsSync(file) ? fromJson(readFileSync(file, 'utf8')) : [];
  const kept = new Map(known.map(each => [kindOf(each), each]));
  for (const each of [...recorded, ...elsewhere(decision, recorded)]) {
    const limit = 'facts' in each.outcome ? WRITTEN_MAX : REFUSED_MAX;
    const alike = [...kept.values()].filter(({ outcome }) => 'facts' in outcome === 'facts' in each.outcome);
    if (!kept.has(kindOf(each)) && alike.length < limit) kept.set(kindOf(each), each);
  }
  if (kept.size === known.length) return;
  const all = [...kept.values()].map(each => ({
    ...each,
    variants: each.variants ?? outcomesOfVariants(decision, each),
  }));
  writeFileSync(file, `${toJson(all)}\n`);
}

/** The same requests where others were made, and as nobody made them: most of that is refused. */
function elsewhere(decision: Decision, recorded: readonly Recorded[]): Recorded[] {
  const looked = recorded.filter(({ own }) => own !== null);
  const moved = looked.flatMap(({ event, others }) =>
    looked.filter(other => other.event !== event).map(({ own }) => ({ event, own, others })),
  );
  return moved.map(seen => ({ ...seen, outcome: decideAgain(decision, seen) }));
}

/** What tells recordings apart that are worth keeping: the refusal, or what was written on which kind of state. */
function kindOf({ outcome, own }: Recorded): string {
  if ('refused' in outcome) return outcome.refused.replace(/\d+|agent_\w+/g, '');
  const { status } = (own ?? {}) as { status?: string };
  return `${status}: ${outcome.facts.map(({ type }) => type).join(',')}`;
}
