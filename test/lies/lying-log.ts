import { DECISIONS } from '#libs/service/decision-table.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Event, SignedRequest } from '#libs/kernel/event.js';
import { deriveEventId, formatDecisionKey, sha256Hex } from '#libs/kernel/ids.js';
import type { Json } from '#libs/kernel/json.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { publicKeyOf, sign } from '#libs/platform/signing/ed25519.js';
import { append, EMPTY_EDGE, rootOf } from '#libs/platform/signing/merkle.js';
import { checkpointText, signedNote } from '#libs/platform/signing/signed-note.js';
import { signedMessage, signerOf } from '#libs/platform/signing/signed-message.js';
import { MESSAGE_TAG } from '#libs/client/index.js';
import type { HonestStory } from './honest-story.js';

/** A value of the feed that is stored sealed; without `value` the feed hides it. */
interface ShownValue<T> {
  sealed: string;
  value?: T;
}

export interface LyingEvent {
  id: string;
  type: string;
  version: number;
  position: string;
  at: number;
  digest: string;
  stream: string;
  revision: number;
  actor: string;
  cause: string;
  decided_by: string;
  based_on: { [stream: string]: number };
  authorization: {
    mode: string;
    public_key?: string;
    token?: string;
    endpoint?: string;
    timestamp?: string;
    nonce?: string;
    commitment?: string;
    reason?: string;
    sealed?: ShownValue<SignedRequest> | null;
    request?: SignedRequest;
  };
  data: { [name: string]: Json };
}

type Where = (event: LyingEvent) => boolean;

/** Changes of a request that is signed again. */
export interface OtherRequest {
  readonly endpoint?: string;
  readonly fields?: { readonly [name: string]: string | undefined };
  readonly timestamp?: string;
  readonly nonce?: string;
  /** By default the actor of the events. */
  readonly signer?: string;
}

export const ORIGIN = 'jobs.example';
const POSITION_WIDTH = 20;
const ALL: Where = () => true;

function idOf(event: LyingEvent, before: readonly LyingEvent[]): string {
  const { eventKey, countsRevisions } = DECISIONS.get(event.decided_by) ?? {};
  const keyOf = (one: LyingEvent) =>
    eventKey?.(one as unknown as Event) ?? formatDecisionKey(one.cause, one.decided_by);
  const isSame = (one: LyingEvent) => one.type === event.type && keyOf(one) === keyOf(event);
  const ordinal = countsRevisions ? event.revision : before.filter(isSame).length;
  return deriveEventId(keyOf(event), event.stream, event.type, ordinal);
}

/** Private events have no stream, data or authorization in the feed: look for others with `find`. */
export class LyingLog {
  readonly events: LyingEvent[];

  constructor(private readonly story: HonestStory) {
    this.events = structuredClone(story.events) as unknown as LyingEvent[];
  }

  find(type: string, where: Where = ALL): LyingEvent[] {
    return this.events.filter(event => event.type === type && event.data !== undefined && where(event));
  }

  /** The first event of a type. Throws if there is none. */
  first(type: string, where: Where = ALL): LyingEvent {
    const [event] = this.find(type, where);
    if (!event) throw new Error(`The honest log has no such ${type}.`);
    return event;
  }

  /** The events of the same request, in all streams. */
  sameRequest({ cause, actor, authorization: { nonce } }: LyingEvent): LyingEvent[] {
    return this.events.filter(
      event =>
        event.data !== undefined &&
        event.actor === actor &&
        (nonce === undefined ? event.cause === cause : event.authorization.nonce === nonce),
    );
  }

  /** Takes events out, and closes the gaps in revisions and in what is based on them. */
  remove(...gone: readonly LyingEvent[]): void {
    for (const event of gone) {
      const { stream, revision } = event;
      this.events.splice(this.events.indexOf(event), 1);
      this.shift(stream, revision, -1);
    }
  }

  /** Inserts a copy of an event behind another one, as the next one of its stream, with an id of its own. */
  insert(like: LyingEvent, changed: Partial<LyingEvent>, after: LyingEvent): LyingEvent {
    const event = { ...structuredClone(like), ...structuredClone(changed) };
    const index = this.events.indexOf(after) + 1;
    const before = this.events.slice(0, index).filter(({ stream }) => stream === event.stream);
    event.revision = before.length;
    event.id = changed.id ?? idOf(event, before);
    this.shift(event.stream, event.revision, 1, index);
    this.events.splice(index, 0, event);
    return event;
  }

  /** Gives what a decision wrote into a stream another cause, and the ids that follow from it. Returns these events. */
  renameCause({ cause, decided_by, stream }: LyingEvent, other: LyingEvent): LyingEvent[] {
    const events = this.events.filter(
      event =>
        event.data !== undefined && event.cause === cause && event.decided_by === decided_by && event.stream === stream,
    );
    for (const event of events) {
      event.cause = other.id;
      event.id = idOf(
        event,
        this.events.slice(0, this.events.indexOf(event)).filter(each => each.stream === stream),
      );
    }
    return events;
  }

  /** Hides the request of an event, as the feed does after an erasure. */
  hideRequest(event: LyingEvent): LyingEvent {
    for (const { authorization } of this.sameRequest(event)) delete authorization.sealed?.value;
    return event;
  }

  /** Drops all later events. */
  cutAfter(last: LyingEvent): void {
    this.events.length = this.events.indexOf(last) + 1;
  }

  /** The revision that a stream has before an event; -1 if it has none. */
  revisionBefore(event: LyingEvent, stream: string): number {
    return this.events.slice(0, this.events.indexOf(event)).filter(other => other.stream === stream).length - 1;
  }

  /** Shows another value of a sealed member. Its sealed form differs too, as if sealed with the key of the vault. */
  seal<T>(value: T): ShownValue<T> {
    const text = JSON.stringify(value);
    return { sealed: Buffer.from(sha256Hex(text) + text).toString('base64url'), value };
  }

  holdsKeyOf({ authorization }: LyingEvent): boolean {
    return authorization.sealed?.value !== undefined && this.story.seeds.has(authorization.public_key ?? '');
  }

  /** Signs the request of an event again, for all its events. Throws if the story does not hold the agent's key. */
  sign(event: LyingEvent, { endpoint, fields = {}, timestamp, nonce, signer }: OtherRequest = {}): void {
    const events = this.sameRequest(event);
    const { authorization, actor } = event;
    const shown = authorization.request ?? authorization.sealed?.value;
    if (!shown) throw new Error(`The feed does not show the request of ${event.type}.`);
    const key = signer ?? authorization.public_key!;
    const seed = this.story.seeds.get(key);
    if (!seed) throw new Error(`The story does not hold the seed of ${key}.`);
    const sent = Object.fromEntries(
      Object.entries({ ...shown.fields, ...fields }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    );
    const stamp = {
      endpoint: endpoint ?? authorization.endpoint!,
      timestamp: timestamp ?? authorization.timestamp!,
      nonce: nonce ?? authorization.nonce!,
    };
    const museId = signerOf(stamp.endpoint, { ...sent, muse_id: actor });
    const message = signedMessage({ tag: MESSAGE_TAG, ...stamp, museId, fields: sent });
    const { salt } = shown;
    const request = { signature: sign(seed, message), fields: sent, salt };
    const shownAgain = authorization.request ? { request } : { sealed: this.seal(request) };
    const commitment = computeCommitment(salt, message);
    for (const each of events)
      each.authorization = {
        ...each.authorization,
        ...stamp,
        public_key: publicKeyOf(seed),
        commitment,
        ...shownAgain,
      };
  }

  /** The feed and the signed checkpoint that the service would show. */
  publish(): { readonly events: PublicEvent[]; readonly root: string; readonly checkpoint: string } {
    let edge = EMPTY_EDGE;
    for (const [index, event] of this.events.entries()) {
      event.position = String(index + 1).padStart(POSITION_WIDTH, '0');
      if (event.data !== undefined) event.digest = feedEventDigest(event as unknown as PublicEvent);
      edge = append(edge, event.digest);
    }
    const root = rootOf(edge);
    const { issuerSeed } = this.story;
    const text = checkpointText({ origin: ORIGIN, size: edge.size, root });
    const checkpoint = signedNote(text, ORIGIN, publicKeyOf(issuerSeed), sign(issuerSeed, text));
    return { events: this.events as unknown as PublicEvent[], root, checkpoint };
  }

  private shift(stream: string, from: number, by: number, index = 0): void {
    for (const event of this.events.slice(index)) {
      if (event.data === undefined) continue;
      if (event.stream === stream && event.revision >= from) event.revision += by;
      const based = event.based_on[stream];
      if (based !== undefined && based >= from) event.based_on[stream] = based + by;
    }
  }
}

/** The newest of the story: auditors know the wallet of its worker, so they know that it can be paid. */
export const dueWage = (log: LyingLog): LyingEvent => log.find('WageDue').at(-1)!;

/** Goes on with honest events of the service. In 15 minutes each reaction would have followed. */
export function continueLog(log: LyingLog, count = 15, { everyMs = MINUTE_MS, laterMs = 0 } = {}): void {
  const from = Math.max(...log.events.map(({ at }) => at)) + laterMs;
  for (let index = 1; index <= count; index += 1) {
    const origin = `https://host-${log.events.length}.example`;
    const changed = { at: from + index * everyMs, cause: `origin/${origin}`, data: { origin } };
    log.insert(log.first('OriginSet'), changed, log.events.at(-1)!);
  }
}
