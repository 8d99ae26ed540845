import type { SealedNewEvent } from '#libs/kernel/event.js';
import { PAGE_MAX } from './event-log.port.js';

export function checkAppend(stream: string, events: readonly SealedNewEvent[]): void {
  if (events.length === 0) throw new Error(`An append to ${stream} holds no event.`);
  const misplaced = events.find(event => event.stream !== stream);
  if (misplaced) throw new Error(`An append to ${stream} holds an event of ${misplaced.stream}.`);
  const ids = new Set(events.map(event => event.id));
  if (ids.size < events.length) throw new Error(`An append to ${stream} holds an id twice.`);
}

export function checkLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_MAX) return;
  throw new RangeError(`A page of the log holds 1 to ${PAGE_MAX} events, not ${limit}.`);
}
