import type { StoredNewEvent } from '#libs/kernel/event.js';

/** An event as a log is given it. */
export function event(stream: string, id: string, more: Partial<StoredNewEvent> = {}): StoredNewEvent {
  return {
    id,
    stream,
    type: 'Posted',
    version: 1,
    at: 1_700_000_000_000,
    actor: 'muse_1',
    cause: 'request-1',
    based_on: { 'muse-muse_1': 3 },
    authorization: { mode: 'service', reason: 'test' },
    data: { title: 'A page' },
    ...more,
  };
}

export function events(stream: string, ...ids: string[]): StoredNewEvent[] {
  return ids.map(id => event(stream, id));
}
