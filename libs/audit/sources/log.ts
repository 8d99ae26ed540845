import type { EventLog } from '#libs/event-log/port.js';
import { START, type StoredEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/signing/event-digest.js';
import type { Findings } from '../findings.js';
import type { PublicEvent } from '../public-event.js';
import type { EventSource } from './source.js';

/** How many events are read at once. */
const PAGE = 1_000;

export interface LogParts {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  /** Shows an event as the public feed does. */
  readonly show: (stored: StoredEvent) => Promise<PublicEvent>;
  readonly origin: string;
}

/** An event log itself, up to its head as it is at the beginning. */
export function fromLog(parts: LogParts): EventSource {
  return { origin: parts.origin, digests: 'own', events: findings => read(parts, findings) };
}

async function* read({ log, show }: LogParts, findings: Findings): AsyncGenerator<PublicEvent> {
  const head = await log.head();
  for (let after = START; after < head;) {
    const { events, next } = await log.readAll(after, PAGE);
    for (const stored of events) if (stored.position <= head) yield await shown(stored, show, findings);
    if (next === after) return;
    after = next;
  }
}

/** What cannot be opened is looked at as it is stored. */
async function shown(stored: StoredEvent, show: LogParts['show'], findings: Findings): Promise<PublicEvent> {
  try {
    return await show(stored);
  } catch (error) {
    findings.add('source', `Its sealed values cannot be opened: ${(error as Error).message}`, stored);
    return { ...stored, digest: eventDigest(stored) };
  }
}
