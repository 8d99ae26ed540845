import { basename } from 'node:path';
import type { EventLog, EventPage } from '#libs/event-log/event-log.port.js';
import { LOG_START, type Position } from '#libs/kernel/event.js';

/** Shows a shared log from a position on, with prefixed stream names. The test must be its only writer. */
export function sharedLog(log: EventLog, beginning: Position, folder: string): EventLog {
  const prefix = `${basename(folder)}-`;
  const outside = (stream: string) => (stream.startsWith('$') ? stream : prefix + stream);
  const inside = <E extends { readonly stream: string }>(event: E): E => ({
    ...event,
    stream: event.stream.slice(prefix.length),
  });
  const behind = (position: Position) => (position <= beginning ? LOG_START : position);
  const shown = (page: EventPage): EventPage => ({ events: page.events.map(inside), next: behind(page.next) });
  return {
    kind: log.kind,
    append: async (stream, expected, events) => {
      const named = events.map(event => ({ ...event, stream: outside(event.stream) }));
      return (await log.append(outside(stream), expected, named)).map(inside);
    },
    read: async (stream, ...args) => (await log.read(outside(stream), ...args)).map(inside),
    readAll: async (after, limit, types) =>
      shown(await log.readAll(after === LOG_START ? beginning : after, limit, types)),
    readNews: async (after, limit, types) =>
      shown(await log.readNews(after === LOG_START ? beginning : after, limit, types)),
    moment: () => log.moment(),
    head: async () => behind(await log.head()),
    stepBack: async (from, count) => behind(await log.stepBack(from, count)),
    holds: position => log.holds(position),
    idAt: position => log.idAt(position),
    wake: listener => log.wake(listener),
    close: () => log.close(),
  };
}
