import type { PublicEvent } from '#libs/audit/public-event.js';
import type { NetworkReader } from '#libs/client/index.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { registeredKey, verifyEvent } from '#libs/audit/signatures.js';
import { assertThat } from './assertions.js';

const PAGE_SIZE = 1_000;
/** Enough pages for the story on a busy service. */
const PAGES_MAX = 50;

/** Results of a stranger's check of all events since a position. */
export interface FeedAudit {
  readonly events: number;
  readonly digests: number;
  readonly signatures: number;
  /** Signed events whose signed message is not public. */
  readonly hidden: number;
  /** Events authorized by a bearer token. */
  readonly tokens: number;
  /** Events that the service wrote on its own. */
  readonly service: number;
}

export async function readEventsSince(reader: NetworkReader, after: string): Promise<PublicEvent[]> {
  const events: PublicEvent[] = [];
  let from = after;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { events: page, next, head } = await reader.events({ after: from, limit: PAGE_SIZE });
    // Events of private types have only a digest here, which the verification handles.
    events.push(...(page as PublicEvent[]));
    from = next;
    if (from >= head) return events;
  }
  throw new Error(`The log grew by more than ${PAGE_SIZE * PAGES_MAX} events during the story.`);
}

/** Throws at the first digest or signature that is wrong. */
export function auditEvents(events: readonly PublicEvent[], tag: string): FeedAudit {
  const keys = new Map(events.map(registeredKey).filter(key => key !== null));
  const counts = { events: 0, digests: 0, signatures: 0, hidden: 0, tokens: 0, service: 0 };
  let last = '';
  for (const event of events) {
    assertThat(event.position > last, `Event ${event.id} has a position before that of the previous event.`);
    last = event.position;
    const { digest, signature } = verifyEvent(event, tag);
    assertThat(digest !== false, `The digest of ${event.type} ${event.id} does not match the feed.`);
    assertThat(signature !== false, `The signature of ${event.type} ${event.id} is not by its actor.`);
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

function isByRegisteredKey(event: PublicEvent, keys: ReadonlyMap<string, string>): boolean {
  const { mode, public_key: key } = (event.authorization ?? {}) as JsonObject;
  const registered = keys.get(event.actor);
  return mode !== 'signature' || registered === undefined || registered === key;
}
