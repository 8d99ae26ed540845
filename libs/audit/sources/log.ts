import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import type { Findings } from '../findings.js';
import type { PublicEvent } from '../public-event.js';
import type { EventSource } from './source.js';

export interface LogDependencies {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  /** Shows an event as the public feed does; throws a sentence where its sealed values do not open. */
  readonly show: (stored: StoredEvent) => Promise<PublicEvent>;
  readonly origin: string;
  readonly isWhole?: boolean;
}

/** An event log itself, up to its head as it is at the beginning. */
export function logSource(dependencies: LogDependencies): EventSource {
  const { origin, isWhole = false } = dependencies;
  return { origin, isWhole, digests: 'own', events: findings => readEvents(dependencies, findings) };
}

async function* readEvents({ log, show }: LogDependencies, findings: Findings): AsyncGenerator<PublicEvent> {
  for await (const stored of iterateEvents(log)) yield await showEvent(stored, show, findings);
}

/** What cannot be opened is looked at as it is stored. */
async function showEvent(stored: StoredEvent, show: LogDependencies['show'], findings: Findings): Promise<PublicEvent> {
  try {
    return await show(stored);
  } catch (error) {
    findings.add('source', `Its sealed values cannot be opened: ${(error as Error).message}`, stored);
    return { ...stored, digest: eventDigest(stored) };
  }
}
