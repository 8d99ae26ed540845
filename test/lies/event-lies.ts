import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Json } from '#libs/kernel/json.js';
import { otherValue } from './command-lies.js';
import { continueLog, type LyingEvent, type LyingLog } from './lying-log.js';

/** A change of one event, and of what must change with it for the log to look whole. */
export interface EventLie {
  readonly what: string;
  /** Whether only members of the event differ. */
  readonly isOfData: boolean;
  readonly tell: (log: LyingLog) => void;
}

const LONG_BEFORE_MS = 10 * MINUTE_MS;

/** Other codes of a field, which pass every check of its form. */
export type OtherCodes = { readonly [field: string]: readonly string[] };

type Change = (event: LyingEvent, log: LyingLog) => void;

export function liesAboutEvent({ events }: LyingLog, index: number, codes: OtherCodes): EventLie[] {
  const { type, data, based_on } = events[index]!;
  const lie = (what: string, change: Change, isOfData = false) => ({
    what: `${type} ${what}`,
    isOfData,
    tell: (log: LyingLog) => change(log.events[index]!, log),
  });
  const shown = Object.entries(data).filter(([, value]) => isShown(value));
  const others = (name: string, value: Json) => (codes[name] ?? []).filter(code => code !== value);
  return [
    ...shown.map(([name, value]) =>
      lie(`has another ${name}`, (event, log) => void (event.data[name] = otherValue(value, log)), true),
    ),
    ...shown.flatMap(([name, value]) =>
      others(name, value).map(code => lie(`has the ${name} “${code}”`, event => void (event.data[name] = code), true)),
    ),
    ...Object.keys(based_on).map(stream =>
      lie(`did not read ${kindOf(stream)}`, (event, log) => hideBasis(event, log, stream), true),
    ),
    lie('is missing', (event, log) => (log.remove(event), continueLog(log))),
    lie('is the last event', (event, log) => (log.cutAfter(event), continueLog(log))),
    lie('is written twice', (event, log) => void log.insert(event, {}, event)),
    lie('is written much later', postpone),
    lie('is in another stream', move),
    lie('is by another agent', (event, log) => void (event.actor = otherAgent(log, event))),
    lie('is decided by a reaction to a post', event => void (event.decided_by = 'react@1')),
    lie('has another cause', blame),
  ];
}

/** Without the key of the service a reader sees only the sealed form. */
const isShown = (value: Json) =>
  typeof value !== 'object' || value === null || !Object.hasOwn(value, 'sealed') || Object.hasOwn(value, 'value');

const kindOf = (stream: string) => `its ${stream.split('-')[0]}`;

/** All that its request could read is older, so that it must have read it. */
function hideBasis(event: LyingEvent, log: LyingLog, stream: string): void {
  const [first] = log.sameRequest(event);
  for (const before of log.events.slice(0, log.events.indexOf(first!))) before.at -= LONG_BEFORE_MS;
  delete event.based_on[stream];
}

function postpone(event: LyingEvent, log: LyingLog): void {
  log.remove(event);
  continueLog(log);
  const last = log.events.at(-1)!;
  log.insert(event, { at: last.at }, last);
}

/** Puts an event into the last other stream of its kind. */
function move(event: LyingEvent, log: LyingLog): void {
  const kind = `${event.stream.split('-')[0]}-`;
  const isOther = ({ stream, data }: LyingEvent) =>
    data !== undefined && stream.startsWith(kind) && stream !== event.stream;
  const { stream = `${kind}another` } = log.events.findLast(isOther) ?? {};
  log.remove(event);
  log.insert(event, { stream }, log.events.at(-1)!);
}

const otherAgent = (log: LyingLog, { actor }: LyingEvent) =>
  log.first('Joined', event => event.actor !== actor && event.decided_by.startsWith('join@')).actor;

/** Names another event of the type of its cause, or any other event. */
function blame(event: LyingEvent, log: LyingLog): void {
  const before = log.events.slice(0, log.events.indexOf(event)).filter(({ id }) => id !== event.cause);
  const cause = log.events.find(({ id }) => id === event.cause);
  log.renameCause(event, before.findLast(({ type }) => type === cause?.type) ?? before[0]!);
}
