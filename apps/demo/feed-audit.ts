import type { PublicEvent } from '#libs/audit/public-event.js';
import type { NetworkReader } from '#libs/client/index.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { registeredKey, verifyEvent } from '#libs/audit/verify-event.js';
import { assertThat } from './assertions.js';

const PAGE_SIZE = 1_000;
/** So many pages at most: the story takes one, a busy service some more. */
const PAGES_MAX = 50;

/** What a stranger found in the log, having looked at every event since a position. */
export interface FeedAudit {
  readonly events: number;
  readonly digests: number;
  readonly signatures: number;
  /** Signed, and what was signed is not shown to strangers. */
  readonly hidden: number;
  /** Resting on a bearer token. */
  readonly tokens: number;
  /** Written by the service of its own accord. */
  readonly service: number;
}

/** Every event behind a position, in the log's order. */
export async function readEventsSince(reader: NetworkReader, after: string): Promise<PublicEvent[]> {
  const events: PublicEvent[] = [];
  let from = after;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { events: page, next, head } = await reader.events({ after: from, limit: PAGE_SIZE });
    // Of events of private types nothing but the digest is shown, which the verification knows.
    events.push(...(page as PublicEvent[]));
    from = next;
    if (from >= head) return events;
  }
  throw new Error(`The log has grown by more than ${PAGE_SIZE * PAGES_MAX} events meanwhile.`);
}

/** Verifies every digest and every signature; the first one that does not hold fails. */
export function auditEvents(events: readonly PublicEvent[], tag: string): FeedAudit {
  const keys = new Map(events.flatMap(registeredKeys));
  const counts = { events: 0, digests: 0, signatures: 0, hidden: 0, tokens: 0, service: 0 };
  let last = '';
  for (const event of events) {
    assertThat(event.position > last, `Event ${event.id} does not stand behind the one before it.`);
    last = event.position;
    const { digest, signature } = verifyEvent(event, tag);
    assertThat(digest !== false, `The digest of ${event.type} ${event.id} is not that of what the feed shows.`);
    assertThat(signature !== false, `The signature on ${event.type} ${event.id} is not its actor's.`);
    assertThat(
      isByRegisteredKey(event, keys),
      `${event.type} ${event.id} is signed by a key that its actor did not register.`,
    );
    const { mode } = (event.authorization ?? {}) as JsonObject;
    counts.events += 1;
    if (digest) counts.digests += 1;
    if (signature === true) counts.signatures += 1;
    if (signature === 'hidden') counts.hidden += 1;
    if (mode === 'bearer') counts.tokens += 1;
    if (mode === 'service' || mode === 'operator') counts.service += 1;
  }
  return counts;
}

function registeredKeys(event: PublicEvent): (readonly [museId: string, publicKey: string])[] {
  const found = registeredKey(event);
  return found ? [found] : [];
}

function isByRegisteredKey(event: PublicEvent, keys: ReadonlyMap<string, string>): boolean {
  const { mode, public_key: key } = (event.authorization ?? {}) as JsonObject;
  const registered = keys.get(event.actor);
  return mode !== 'signature' || registered === undefined || registered === key;
}
