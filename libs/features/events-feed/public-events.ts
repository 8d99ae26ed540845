import { Muse } from '#libs/streams/muse.js';
import { PaymentAccepted } from '#libs/streams/payment.js';
import { EVENT_TYPES, eventType } from '#libs/streams/streams.js';
import type { Codec } from '#libs/event-log/codec.js';
import { type Authorization, type Event, START, type StoredEvent } from '#libs/kernel/event.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { eventDigest } from '#libs/signing/event-digest.js';
import type { ClearedDocument } from '#libs/views/cleared-values.js';
import type { Cleared } from './cleared.js';

/**
 * The fields of requests that are private in any event. One request writes several events, and each of them carries
 * all its fields: a join's `Joined` has the payout address that only `ProfileUpdated` declares.
 */
const PRIVATE_FIELDS = new Set([...EVENT_TYPES.values()].flatMap(({ seals }) => seals.private));

/** What was cleared from the profile of an event's author, and is hidden in it therefore. */
type Hides = (name: string) => boolean;
const HIDES_NOTHING: Hides = () => false;

/**
 * Events as the public feed shows them (interface section 13): sealed values as they are stored, beside those that are
 * personal, not erased and not cleared from the profile since in clear. A request that holds a private or a cleared
 * value shows none of its signed parts.
 */
export class PublicEvents {
  constructor(
    private readonly codec: Codec,
    private readonly cleared: Cleared,
  ) {}

  /** At most 1,000 events. */
  async of(events: readonly StoredEvent[]): Promise<JsonObject[]> {
    const authors = new Set(events.filter(holdsProfile).map(({ actor }) => actor));
    const cleared = authors.size > 0 ? await this.cleared([...authors]) : new Map<string, ClearedDocument>();
    return Promise.all(
      events.map(event => {
        const since = holdsProfile(event) ? cleared.get(event.actor) : undefined;
        return this.shown(event, since ? name => event.position < (since[name] ?? START) : HIDES_NOTHING);
      }),
    );
  }

  private async shown(stored: StoredEvent, hides: Hides): Promise<JsonObject> {
    const { seals, privateType } = eventType(stored.type);
    const digest = eventDigest(stored);
    const { id, type, version, position, at } = stored;
    if (privateType) return { id, type, version, position, at, digest };
    const opened = await this.codec.open(stored);
    const values = opened.data as JsonObject;
    const isShown = (name: string) =>
      seals.personal.includes(name) && !hides(name) && !(name === 'fields' && holds(values[name], hides));
    const data = showing(stored.data as JsonObject, values, isShown);
    return { ...(stored as JsonObject), data, authorization: shownAuthorization(stored, opened, hides), digest };
  }
}

/** Whether fields of its author's profile stand in it: an event of the muse, or the payment that its identity is made by. */
const holdsProfile = ({ stream, type, data }: StoredEvent) =>
  stream.startsWith(Muse.named('')) ||
  (type === PaymentAccepted.type && (data as JsonObject)['endpoint'] === 'identity');

type SealedAuthorization = Extract<Authorization, { sealed: object | null }>;

function shownAuthorization(stored: StoredEvent, opened: Event, hides: Hides): JsonObject {
  const authorization = stored.authorization as JsonObject;
  if (!('sealed' in authorization)) return authorization;
  const { sealed } = opened.authorization as SealedAuthorization;
  const isHidden = holds(sealed?.fields, name => PRIVATE_FIELDS.has(name) || hides(name));
  // Signature and salt stay back with the fields: with either of them a guessed value could be tested.
  return showing(authorization, opened.authorization, () => !isHidden);
}

/** Whether a request's fields say something that is hidden. */
const holds = (fields: Json | undefined, hides: Hides) =>
  Object.entries((fields ?? {}) as JsonObject).some(([name, value]) => value !== '' && hides(name));

/** Stored members, with the value beside each sealed one that may be shown and still opens. */
function showing(stored: JsonObject, opened: JsonObject, shown: (name: string) => boolean): JsonObject {
  const entries = Object.entries(stored).map(([name, value]): [string, Json] => {
    const open = opened[name];
    return isSealed(value) && shown(name) && open !== null && open !== undefined
      ? [name, { ...value, value: open }]
      : [name, value];
  });
  return Object.fromEntries(entries);
}

const isSealed = (value: Json | undefined): value is { readonly sealed: string } =>
  typeof value === 'object' && value !== null && 'sealed' in value;
