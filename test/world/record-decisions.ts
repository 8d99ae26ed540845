import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { History } from '#libs/audit/history.js';
import type { Event } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { formatDecidedBy, type Decision, type DecisionTable } from '#libs/endpoints/decision.js';
import {
  decideAgain,
  fromJson,
  outcomesOf,
  type RecordedDecision,
  record,
  toJson,
  variantsOf,
} from '../vectors/recorded-decisions.js';

const FOLDER = new URL('../vectors/decisions/', import.meta.url);
const FIELDS = new URL('../vectors/decision-fields.json', import.meta.url);
type DecisionInput = Omit<RecordedDecision, 'variants'>;
/** Maximum of recorded successes and refusals per decision. */
const WRITTEN_MAX = 4;
const REFUSED_MAX = 8;

export const decisionFile = (decision: Pick<Decision, 'name' | 'version'>) =>
  new URL(`${decision.name}.v${decision.version}.json`, FOLDER);

/**
 * Records decisions of a log for `npm run missing`: set `RECORD_DECISIONS` to `all`, or to names with
 * versions such as `hire@1,apply@1`, and run the flows.
 */
export function recordDecisions(events: readonly Event[], table: DecisionTable, wanted: string): void {
  const inputs = new Map<Decision, DecisionInput[]>();
  const history = new History();
  for (const event of events) {
    const judged = table.get(event.decided_by);
    if (judged && 'decide' in judged && (wanted === 'all' || wanted.split(',').includes(event.decided_by))) {
      const recorded = record(judged, event, history);
      if (!isUndecided(recorded)) inputs.set(judged, [...(inputs.get(judged) ?? []), recorded]);
    }
    history.applyEvent(event);
  }
  for (const [decision, recorded] of inputs) writeRecorded(decision, recorded);
  pinFields([...inputs.keys()]);
}

export const namesOfFields = ({ request }: Decision): string[] => Object.keys(request?.fields ?? {}).sort();

export const pinnedFields = () => JSON.parse(readFileSync(FIELDS, 'utf8')) as { [decision: string]: string[] };

/** Pins the fields of decisions; pinned decisions change only with `again`. */
export function pinFields(decisions: readonly Decision[], when?: 'again'): void {
  const before = pinnedFields();
  const own = Object.fromEntries(decisions.map(each => [formatDecidedBy(each), namesOfFields(each)]));
  const pinned = when === 'again' ? { ...before, ...own } : { ...own, ...before };
  const lines = Object.entries(pinned).map(([name, fields]) => ` ${JSON.stringify(name)}: ${JSON.stringify(fields)}`);
  writeFileSync(FIELDS, `{\n${lines.sort().join(',\n')}\n}\n`);
}

/** How a recorded decision differs from the declared one; null if it does not, or is not recorded. */
export function findDifference(decision: Decision): string | null {
  if (!existsSync(decisionFile(decision))) return null;
  const [fields, pinned] = [namesOfFields(decision), pinnedFields()[formatDecidedBy(decision)] ?? []];
  const changed = [...fields, ...pinned].filter(name => fields.includes(name) !== pinned.includes(name));
  if (changed.length > 0) return `differs from its recorded fields: ${changed.join(', ')}`;
  const differences = readRecorded(decision).flatMap(({ outcome, variants, ...seen }) => {
    const recorded = { 'the request itself': outcome, ...variants };
    const decided = {
      'the request itself': decideAgain(decision, seen),
      ...outcomesOf(Object.keys(variants), decision, seen),
    };
    return compareOutcomes(recorded, decided);
  });
  if (differences.length === 0) return null;
  return `decides otherwise in ${differences.length} recorded cases, first ${differences[0]}`;
}

type Outcomes = { readonly [what: string]: unknown };

function compareOutcomes(recorded: Outcomes, decided: Outcomes): string[] {
  const pairs = Object.keys(recorded).map(what => [what, textOf(decided[what]), textOf(recorded[what])]);
  return pairs.flatMap(([what, now, before]) =>
    now === before ? [] : [`(${what}) ${differingPart(now!, before!)}, not ${differingPart(before!, now!)}`],
  );
}

const PART_CHARACTERS = 80;
const LEAD_CHARACTERS = 20;

function differingPart(text: string, other: string): string {
  const at = [...text].findIndex((character, index) => character !== other[index]);
  const start = Math.max(0, (at === -1 ? text.length : at) - LEAD_CHARACTERS);
  return text.slice(start, start + PART_CHARACTERS);
}

const readRecorded = (decision: Decision) => fromJson(readFileSync(decisionFile(decision), 'utf8'));

/** Whether a recorded event itself contradicts the rule: only a story then gives the decision an honest event again. */
export const needsNewStory = (decision: Decision): boolean =>
  readRecorded(decision).some(
    ({ outcome, variants: _variants, ...seen }) => 'facts' in outcome && isUnusable(decideAgain(decision, seen)),
  );

const isUnusable = (outcome: DecisionInput['outcome']) =>
  'refused' in outcome && ['contradiction', 'undecided'].includes(outcome.refused);

const textOf = (outcome: unknown) => canonicalJson(JSON.parse(JSON.stringify(outcome)) as Json);

const isUndecided = ({ outcome }: DecisionInput) => 'refused' in outcome && outcome.refused === 'undecided';

function writeRecorded(decision: Decision, recorded: readonly DecisionInput[]): void {
  const file = decisionFile(decision);
  const earlier = existsSync(file) ? fromJson(readFileSync(file, 'utf8')) : [];
  const kept = new Map<string, DecisionInput & Partial<RecordedDecision>>(
    earlier.map(each => [recordingKind(each), each]),
  );
  for (const each of [...recorded, ...variantInputs(decision, recorded)]) {
    const limit = 'facts' in each.outcome ? WRITTEN_MAX : REFUSED_MAX;
    const alike = [...kept.values()].filter(({ outcome }) => 'facts' in outcome === 'facts' in each.outcome);
    if (!kept.has(recordingKind(each)) && alike.length < limit) kept.set(recordingKind(each), each);
  }
  if (kept.size === earlier.length) return;
  const all = [...kept.values()].map(each => ({
    ...each,
    variants: each.variants ?? outcomesOf(variantsOf(decision, each), decision, each),
  }));
  writeFileSync(file, `${toJson(all)}\n`);
}

/** Replays requests on states of other requests and on no state; most are refused. */
function variantInputs(decision: Decision, recorded: readonly DecisionInput[]): DecisionInput[] {
  const looked = recorded.filter(({ own }) => own !== null);
  const moved = looked.flatMap(({ event, others }) =>
    looked.filter(other => other.event !== event).map(({ own }) => ({ event, own, others })),
  );
  return moved.map(seen => ({ ...seen, outcome: decideAgain(decision, seen) }));
}

/** Groups recordings by refusal, or by state, written events and categories of the streams that were read. */
function recordingKind({ outcome, own, others }: DecisionInput): string {
  if ('refused' in outcome) return outcome.refused.replace(/\d+|agent_\w+/g, '');
  const { status } = (own ?? {}) as { status?: string };
  const categories = Object.keys(others).map(stream => stream.split('-', 1)[0]);
  return `${status}: ${outcome.facts.map(({ type }) => type).join(',')} from ${categories.sort().join(',')}`;
}
