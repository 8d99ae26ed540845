import {
  checkAppend,
  checkLimit,
  type EventLog,
  type EventPage,
  type ExpectedRevision,
  RevisionConflict,
} from '#libs/event-log/event-log.port.js';
import { POSITION_WIDTH, LOG_START, type Position, type StoredEvent, type SealedNewEvent } from '#libs/kernel/event.js';
import { Faults } from './faults.js';

const positionOf = (index: number) => String(index + 1).padStart(POSITION_WIDTH, '0');

/** Event log in memory with every guarantee of the port except durability. */
export class MemoryLog implements EventLog {
  readonly kind = 'memory';
  readonly events: StoredEvent[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(readonly faults = new Faults('The event log')) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly SealedNewEvent[]): Promise<StoredEvent[]> {
    checkAppend(stream, events);
    return this.faults.run('append', () => this.write(stream, expected, structuredClone([...events])));
  }

  async read(stream: string, from = 0, countMax = Infinity): Promise<StoredEvent[]> {
    return this.faults.run('read', () => structuredClone(this.of(stream).slice(from, from + countMax)));
  }

  async readAll(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    checkLimit(limit);
    const behind = this.events.filter(event => event.position > after && (!types || types.includes(event.type)));
    const events = structuredClone(behind.slice(0, limit));
    const next = behind.length > limit ? events.at(-1)!.position : await this.head();
    const examined = this.events.filter(({ position }) => position > after && position <= next).length;
    return { events, next, ...(types && { examined }) };
  }

  async moment(): Promise<Position> {
    return LOG_START;
  }

  readNews(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    return this.readAll(after, limit, types);
  }

  async head(): Promise<Position> {
    return this.events.at(-1)?.position ?? LOG_START;
  }

  async stepBack(from: Position, count: number): Promise<Position> {
    return this.events.filter(({ position }) => position <= from).at(-count - 1)?.position ?? LOG_START;
  }

  async holds(position: Position): Promise<boolean> {
    return position <= (await this.head());
  }

  async idAt(position: Position): Promise<string | null> {
    return this.faults.run('idAt', () => this.events.find(event => event.position === position)?.id ?? null);
  }

  wake(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.listeners.clear();
  }

  of(stream: string): StoredEvent[] {
    return this.events.filter(event => event.stream === stream);
  }

  private write(stream: string, expected: ExpectedRevision, events: SealedNewEvent[]): StoredEvent[] {
    const there = this.of(stream);
    const duplicates = events
      .map(({ id }) => there.find(event => event.id === id))
      .filter(event => event !== undefined);
    if (duplicates.length === events.length) return structuredClone(duplicates);
    const revision = there.length === 0 ? 'none' : there.length - 1;
    if (duplicates.length > 0 || (expected !== 'any' && expected !== revision))
      throw new RevisionConflict(stream, expected);
    const stored = events.map((event, i) => ({
      ...event,
      revision: there.length + i,
      position: positionOf(this.events.length + i),
    }));
    this.events.push(...stored);
    this.listeners.forEach(listener => listener());
    return structuredClone(stored);
  }
}
