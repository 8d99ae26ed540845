import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import type { Findings } from '#libs/audit/findings.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { EventSource } from './source.js';

export interface LogDependencies {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  readonly show: (stored: StoredEvent) => Promise<PublicEvent>;
  readonly origin: string;
  readonly includesPrivate?: boolean;
  readonly after?: Position;
}

export function logSource(dependencies: LogDependencies): EventSource {
  const { origin, includesPrivate = false } = dependencies;
  return { origin, includesPrivate, digests: 'own', events: findings => readEvents(dependencies, findings) };
}

async function* readEvents({ log, show, after }: LogDependencies, findings: Findings): AsyncGenerator<PublicEvent> {
  for await (const stored of iterateEvents(log, { after })) yield await showEvent(stored, show, findings);
}

async function showEvent(stored: StoredEvent, show: LogDependencies['show'], findings: Findings): Promise<PublicEvent> {
  try {
    return await show(stored);
  } catch (error) {
    findings.add('source', `Its sealed values cannot be opened: ${(error as Error).message}`, stored);
    return { ...stored, digest: eventDigest(stored) };
  }
}
