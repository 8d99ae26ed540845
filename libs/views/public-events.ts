import { Muse } from '#libs/domain/muse.js';
import { PaymentAccepted } from '#libs/domain/payment.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Codec } from '#libs/event-log/codec.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { KeySnapshot } from '#libs/event-log/muse-keys.js';
import { UnreadableEvent } from '#libs/event-log/unreadable-event.js';
import { Posted } from '#libs/features/feed/domain/post.js';
import { Recommended } from '#libs/features/network/domain/endorsement.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { findWrittenVersion } from '#libs/kernel/event-type.js';
import { type Authorization, type Event, LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { type ClearedDocument, ClearedValues } from './cleared-values.js';

type HiddenCheck = (name: string) => boolean;
const HIDE_NOTHING: HiddenCheck = () => false;

/**
 * Renders events for the public feed: personal values in clear unless erased, cleared or withdrawn, all other sealed
 * values as stored. The signed request is shown only if none of its fields is private or hidden.
 */
export class PublicEvents {
  constructor(
    private readonly codec: Codec,
    private readonly cleared: ClearedLookup,
  ) {}

  /** At most 1,000 events. */
  async of(events: readonly StoredEvent[]): Promise<JsonObject[]> {
    const holders = new Set(events.flatMap(event => holderOf(event) ?? []));
    const cleared = holders.size > 0 ? await this.cleared([...holders]) : new Map<string, ClearedDocument>();
    const keys = await this.codec.keysOf(events);
    return Promise.all(
      events.map(event => {
        const clearedFields = cleared.get(holderOf(event) ?? '');
        return this.toPublicEvent(
          event,
          keys,
          clearedFields ? name => event.position < (clearedFields[name] ?? LOG_START) : HIDE_NOTHING,
        );
      }),
    );
  }

  private async toPublicEvent(stored: StoredEvent, keys: KeySnapshot, hides: HiddenCheck): Promise<JsonObject> {
    const digest = eventDigest(stored);
    const { id, type, version, position, at } = stored;
    if (this.codec.types.get(type)?.privateType) return { id, type, version, position, at, digest };
    const personal = findWrittenVersion(stored, this.codec.types)?.seals.personal;
    if (!personal || isPrivateRequest(stored)) return { ...(stored as JsonObject), digest };
    const opened = await this.codec.openAsWritten(stored, keys);
    const values = opened.data as JsonObject;
    const isUnreadable = (name: string) => opened.unreadable?.includes(name) ?? false;
    const isShown = (name: string) =>
      personal.includes(name) &&
      !isUnreadable(name) &&
      !hides(name) &&
      !(name === 'fields' && hasHiddenValue(values[name], hides));
    const data = revealMembers(stored.data as JsonObject, values, isShown);
    return { ...(stored as JsonObject), data, authorization: buildPublicAuthorization(stored, opened, hides), digest };
  }
}

const isPrivateRequest = ({ authorization }: StoredEvent) =>
  PRIVATE_ENDPOINTS.has((authorization as JsonObject)['endpoint']);

const hasProfileFields = ({ stream, type, data }: StoredEvent) =>
  stream.startsWith(Muse.streamName('')) ||
  (type === PaymentAccepted.type && (data as JsonObject)['endpoint'] === 'identity');

const TYPES_ERASED_BY_STREAM: ReadonlySet<string> = new Set([Posted.type, Recommended.type]);

export const holderOf = (event: StoredEvent): string | undefined =>
  TYPES_ERASED_BY_STREAM.has(event.type) ? event.stream : hasProfileFields(event) ? event.actor : undefined;

type SealedAuthorization = Extract<Authorization, { sealed: object | null }>;

function buildPublicAuthorization(stored: StoredEvent, opened: Event, hides: HiddenCheck): JsonObject {
  const authorization = stored.authorization as JsonObject;
  const request = requestOf(opened);
  if (!request) return authorization;
  const isHidden = hasHiddenValue(request.sealed?.fields, hides);
  // Signature and salt stay sealed with the fields: either of them would allow testing a guessed value.
  return revealMembers(authorization, request, () => !isHidden);
}

function requestOf(opened: Event): SealedAuthorization | undefined {
  try {
    const { authorization } = opened;
    return 'sealed' in authorization ? authorization : undefined;
  } catch (error) {
    if (error instanceof UnreadableEvent) return undefined;
    throw error;
  }
}

const hasHiddenValue = (fields: Json | undefined, hides: HiddenCheck) =>
  Object.entries((fields ?? {}) as JsonObject).some(
    ([name, value]) => value !== '' && (PRIVATE_FIELDS.has(name) || hides(name)),
  );

function revealMembers(stored: JsonObject, opened: JsonObject, isShown: (name: string) => boolean): JsonObject {
  const entries = Object.entries(stored).map(([name, value]): [string, Json] => {
    const open = isSealed(value) && isShown(name) ? (opened[name] ?? null) : null;
    return open === null ? [name, value] : [name, { ...(value as JsonObject), value: open }];
  });
  return Object.fromEntries(entries);
}

const isSealed = (value: Json | undefined): value is { readonly sealed: string } =>
  typeof value === 'object' && value !== null && 'sealed' in value;

const TYPES = [...EVENT_TYPES.values()];

/** Endpoints whose requests are hidden entirely: a payment for a message contains its text. */
export const PRIVATE_ENDPOINTS: ReadonlySet<unknown> = new Set(TYPES.flatMap(({ askedFor }) => askedFor ?? []));

/**
 * Every event of a request carries all its fields: a join's `Joined` contains the payout address that only
 * `ProfileUpdated` declares private.
 */
export const PRIVATE_FIELDS: ReadonlySet<string> = new Set(
  TYPES.filter(({ privateType }) => !privateType).flatMap(({ versions }) =>
    versions.flatMap(({ seals }) => seals.private),
  ),
);

/** Returns the cleared fields by holder: a muse id or a stream. At most 1,000 holders. */
export type ClearedLookup = (holders: readonly string[]) => Promise<ReadonlyMap<string, ClearedDocument>>;

/** Reads the log after the read models' position too, so that a cleared value is hidden from the next response on. */
export function lookUpInReadModels(
  models: ReadModels,
  log: Pick<EventLog, 'readAll' | 'head'>,
  codec: Codec,
): ClearedLookup {
  return async holders => {
    const position = await models.position(ClearedValues);
    const documents = await models.of(ClearedValues).getMany(holders);
    return foldCleared(log, codec, new Map(documents.map(({ id, body }) => [id, body])), position);
  };
}

export function lookUpInLog(log: Pick<EventLog, 'readAll' | 'head'>, codec: Codec): ClearedLookup {
  let all: Promise<ReadonlyMap<string, ClearedDocument>> | undefined;
  return () => (all ??= foldCleared(log, codec, new Map(), LOG_START));
}

async function foldCleared(
  log: Pick<EventLog, 'readAll' | 'head'>,
  codec: Codec,
  documents: Map<string, ClearedDocument>,
  after: Position,
) {
  for await (const stored of iterateEvents(log, { after, types: ClearedValues.types })) {
    if (!codec.canOpen(stored)) continue;
    const event = await codec.open(stored);
    for (const id of ClearedValues.keys(event))
      documents.set(id, ClearedValues.evolve(documents.get(id), event, id) ?? {});
  }
  return documents;
}
