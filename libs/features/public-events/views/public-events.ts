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
import { type EventTypeRegistry, findWrittenVersion } from '#libs/kernel/event-type.js';
import { type Authorization, type Event, LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { type ClearedDocument, ClearedValues } from './cleared-values.js';

type HiddenCheck = (name: string) => boolean;

/** Fields of an endpoint; undefined if this build does not have it. */
export type DeclaredFields = (endpoint: unknown) => ReadonlySet<string> | undefined;

const HIDE_NOTHING: HiddenCheck = () => false;

/**
 * Renders events for the public feed: personal values in clear unless erased, cleared or withdrawn, all other sealed
 * values as stored. The signed request is shown only if none of its fields is private or hidden.
 */
export class PublicEvents {
  private readonly privacy: RequestPrivacy;

  constructor(
    private readonly codec: Codec,
    private readonly cleared: ClearedLookup,
    private readonly declared: DeclaredFields,
  ) {
    this.privacy = new RequestPrivacy(codec.types);
  }

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
    if (!personal || this.privacy.isPrivate(stored)) return { ...(stored as JsonObject), digest };
    const opened = await this.codec.openAsWritten(stored, keys);
    const values = opened.data as JsonObject;
    const isUnreadable = (name: string) => opened.unreadable?.includes(name) ?? false;
    const hidesRequest = (fields: Json | undefined) =>
      this.privacy.hasHiddenValue(fields, name => this.isDeclared(stored, name) && hides(name));
    const isShown = (name: string) =>
      personal.includes(name) &&
      !isUnreadable(name) &&
      !hides(name) &&
      !(name === 'fields' && hidesRequest(values[name]));
    const data = revealMembers(stored.data as JsonObject, values, isShown);
    return {
      ...(stored as JsonObject),
      data,
      authorization: buildPublicAuthorization(stored, opened, hidesRequest),
      digest,
    };
  }

  /** A further field that was sent has no meaning, so it is public. */
  private isDeclared({ authorization }: StoredEvent, name: string): boolean {
    return this.declared((authorization as JsonObject)['endpoint'])?.has(name) ?? true;
  }
}

const hasProfileFields = ({ stream, type, data }: StoredEvent) =>
  stream.startsWith(Muse.streamName('')) ||
  (type === PaymentAccepted.type && (data as JsonObject)['endpoint'] === 'identity');

const TYPES_ERASED_BY_STREAM: ReadonlySet<string> = new Set([Posted.type, Recommended.type]);

export const holderOf = (event: StoredEvent): string | undefined =>
  TYPES_ERASED_BY_STREAM.has(event.type) ? event.stream : hasProfileFields(event) ? event.actor : undefined;

type SealedAuthorization = Extract<Authorization, { sealed: object | null }>;

function buildPublicAuthorization(
  stored: StoredEvent,
  opened: Event,
  isHidden: (fields: Json | undefined) => boolean,
): JsonObject {
  const authorization = stored.authorization as JsonObject;
  const request = requestOf(opened);
  if (!request) return authorization;
  const isShown = !isHidden(request.sealed?.fields);
  // Signature and salt stay sealed with the fields: either of them would allow testing a guessed value.
  return revealMembers(authorization, request, () => isShown);
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

function revealMembers(stored: JsonObject, opened: JsonObject, isShown: (name: string) => boolean): JsonObject {
  const entries = Object.entries(stored).map(([name, value]): [string, Json] => {
    const open = isSealed(value) && isShown(name) ? (opened[name] ?? null) : null;
    return open === null ? [name, value] : [name, { ...(value as JsonObject), value: open }];
  });
  return Object.fromEntries(entries);
}

const isSealed = (value: Json | undefined): value is { readonly sealed: string } =>
  typeof value === 'object' && value !== null && 'sealed' in value;

export class RequestPrivacy {
  /** Endpoints whose requests are hidden entirely: a payment for a message contains its text. */
  readonly endpoints: ReadonlySet<unknown>;
  /**
   * Every event of a request carries all its fields: a join's `Joined` contains the payout address that only
   * `ProfileUpdated` declares private.
   */
  readonly fields: ReadonlySet<string>;

  constructor(registry: EventTypeRegistry) {
    const types = [...registry.values()];
    const publicTypes = types.filter(({ privateType, askedFor }) => !privateType && askedFor === null);
    this.endpoints = new Set(types.flatMap(({ askedFor }) => askedFor ?? []));
    this.fields = new Set(publicTypes.flatMap(({ versions }) => versions.flatMap(({ seals }) => seals.private)));
  }

  isPrivate({ authorization }: StoredEvent): boolean {
    return this.endpoints.has((authorization as JsonObject)['endpoint']);
  }

  hasHiddenValue(fields: Json | undefined, hides: HiddenCheck): boolean {
    return Object.entries((fields ?? {}) as JsonObject).some(
      ([name, value]) => value !== '' && (this.fields.has(name) || hides(name)),
    );
  }
}

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
