import { decisionsOf } from '#libs/endpoints/command-decisions.js';
import type { AnyCommand } from '#libs/endpoints/command.js';
import { Muse } from '#libs/domain/muse.js';
import type { Json } from '#libs/kernel/json.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

export const ASPECTS = ['actor', 'state', 'data', 'request'] as const;

/** A change of one request of a command. */
export interface CommandLie {
  readonly aspect: (typeof ASPECTS)[number];
  readonly what: string;
  /** Returns the changed events of the request. */
  readonly tell: (log: LyingLog) => LyingEvent[];
}

/** Index of the first event of a request in the honest log. */
type Request = number;

/** The first request of each kind that a command decided: by key, by token, or without either. */
export function requestsOf(command: AnyCommand, log: LyingLog): Request[] {
  const names = new Set(decisionsOf(command).map(({ name, version }) => `${name}@${version}`));
  const decided = log.events.filter(event => event.data !== undefined && names.has(event.decided_by));
  return ['signature', 'bearer', 'service'].flatMap(mode => {
    const shown = decided.filter(({ authorization }) => authorization.mode === mode);
    const first = shown.find(({ authorization }) => authorization.sealed?.value) ?? shown[0];
    return first ? [log.events.indexOf(first)] : [];
  });
}

export function liesAbout(request: Request, log: LyingLog): CommandLie[] {
  const first = log.events[request]!;
  const events = eventsOf(log, request);
  const mode = first.authorization.mode === 'signature' ? '' : ` by ${first.authorization.mode}`;
  const streams = [...new Set([first.stream, ...Object.keys(first.based_on)])];
  const fields = first.authorization.sealed?.value?.fields ?? {};
  const isSignable = first.authorization.mode === 'signature' && log.holdsKeyOf(first);
  return [
    { aspect: 'actor' as const, what: 'another actor', tell: (log: LyingLog) => withOtherActor(log, request) },
    ...streams
      .filter(stream => log.revisionBefore(first, stream) >= 0)
      .map(stream => ({
        aspect: 'state' as const,
        what: `no ${stream.split('-')[0]}`,
        tell: (log: LyingLog) => withoutStream(log, request, stream),
      })),
    ...events.flatMap(({ type, data }, index) =>
      Object.keys(data).map(name => ({
        aspect: 'data' as const,
        what: `${type}.${name}`,
        tell: (log: LyingLog) => withOtherValue(log, request, index, name),
      })),
    ),
    ...(first.authorization.sealed?.value && mode === ''
      ? [
          {
            aspect: 'request' as const,
            what: 'withheld signature',
            tell: (log: LyingLog) => withheld(log, request),
          },
        ]
      : []),
    ...(isSignable
      ? ['origin', ...Object.keys(fields)].map(name => ({
          aspect: 'request' as const,
          what: `field ${name}`,
          tell: (log: LyingLog) => withOtherField(log, request, name),
        }))
      : [
          {
            aspect: 'request' as const,
            what: 'another endpoint',
            tell: (log: LyingLog) => withOtherEndpoint(log, request),
          },
        ]),
  ].map(({ what, ...lie }) => ({ ...lie, what: `${what}${mode}` }));
}

/** The events that the same decision wrote into the same stream. */
function eventsOf(log: LyingLog, request: Request): LyingEvent[] {
  const first = log.events[request]!;
  return log.sameRequest(first).filter(event => event.stream === first.stream && event.decided_by === first.decided_by);
}

/** Another agent that had joined signs the request. Without its token it uses that of the first. */
function withOtherActor(log: LyingLog, request: Request): LyingEvent[] {
  const events = eventsOf(log, request);
  const [first] = events as [LyingEvent];
  const joined = log.events.slice(0, request).filter(({ type, actor }) => type === 'Joined' && actor !== first.actor);
  const other = joined.find(event => log.holdsKeyOf(event)) ?? joined[0]!;
  const stream = Muse.streamName(other.actor);
  for (const event of events) {
    delete event.based_on[Muse.streamName(event.actor)];
    event.based_on[stream] = log.revisionBefore(first, stream);
    event.actor = other.actor;
  }
  if (first.authorization.mode === 'signature' && first.authorization.sealed?.value && log.holdsKeyOf(other))
    log.sign(first, { signer: other.authorization.public_key! });
  return events;
}

function withoutStream(log: LyingLog, request: Request, stream: string): LyingEvent[] {
  const events = eventsOf(log, request);
  log.remove(...log.events.slice(0, request).filter(event => event.stream === stream));
  for (const event of events) delete event.based_on[stream];
  return events;
}

function withOtherValue(log: LyingLog, request: Request, index: number, name: string): LyingEvent[] {
  const events = eventsOf(log, request);
  const { data } = events[index]!;
  data[name] = otherValue(data[name]!, log);
  return events;
}

function withOtherField(log: LyingLog, request: Request, name: string): LyingEvent[] {
  const events = eventsOf(log, request);
  const value = events[0]!.authorization.sealed!.value!.fields[name];
  log.sign(events[0]!, { fields: { [name]: value === undefined ? 'https://another.example' : otherText(value) } });
  return events;
}

function withheld(log: LyingLog, request: Request): LyingEvent[] {
  log.hideRequest(log.events[request]!);
  return eventsOf(log, request);
}

function withOtherEndpoint(log: LyingLog, request: Request): LyingEvent[] {
  const events = eventsOf(log, request);
  for (const { authorization } of events)
    authorization.endpoint = authorization.endpoint === 'profile' ? 'job' : 'profile';
  return events;
}

/** A value of the same kind. */
export function otherValue(value: Json, log: LyingLog): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return otherText(value);
  if (value === null) return 1;
  if (Array.isArray(value)) return value.length > 0 ? [] : ['other'];
  const { sealed, value: shown } = value as { readonly sealed?: string; readonly value?: Json };
  if (sealed === undefined) return {};
  return shown === undefined ? { sealed: `A${sealed}` } : (log.seal(otherValue(shown, log)) as unknown as Json);
}

/** Changes the character in the middle; a hexadecimal digit stays one, so that the form of a text is right. */
function otherText(text: string): string {
  const at = Math.floor(text.length / 2);
  const character = text.charAt(at);
  const other = /[0-9]/.test(character)
    ? String((Number(character) + 1) % 10)
    : character.toLowerCase() === 'a'
      ? 'b'
      : 'a';
  return text.slice(0, at) + other + text.slice(at + 1);
}
