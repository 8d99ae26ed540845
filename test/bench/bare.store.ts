import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { POSITION_WIDTH, type Event, type NewEvent } from '#libs/kernel/event.js';
import { BareModels } from './bare.models.js';

const SCHEMA = `
  CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, id TEXT, type TEXT, body TEXT);
  CREATE UNIQUE INDEX events_by_revision ON events (stream, revision);
  CREATE UNIQUE INDEX events_by_id ON events (stream, id);
  CREATE TABLE nonces (id TEXT PRIMARY KEY);
  CREATE TABLE counters (id TEXT PRIMARY KEY, value INTEGER);
  CREATE TABLE texts (id TEXT PRIMARY KEY, etag TEXT, body TEXT);
  CREATE TABLE feed (position INTEGER PRIMARY KEY, body TEXT);`;
const ROWS = 'SELECT position, stream, revision, id, type, body FROM events';
const FEED_ITEMS = 20;

interface Agent {
  readonly muse_id: string;
  readonly name: string;
  readonly public_key: string | null;
}

interface BareOptions {
  /** Writes the read models in the same commit. */
  readonly models: boolean;
  readonly sealed: boolean;
}

/** One file, one connection, all waiting writes in one commit. */
export class BareStore {
  private readonly database;
  private readonly statements;
  private readonly models: BareModels | null;
  private readonly agents = new Map<string, Agent>();
  private readonly tokens = new Map<string, string>();
  private queue: (() => () => void)[] = [];
  private feedTail = '';

  constructor(
    folder: string,
    private readonly does: BareOptions,
  ) {
    mkdirSync(folder, { recursive: true });
    this.database = new DatabaseSync(join(folder, 'bare.db'), { returnArrays: true });
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384');
    this.database.exec(SCHEMA);
    this.models = does.models ? new BareModels(this.database) : null;
    this.statements = prepare(this.database);
  }

  fill(file: string): void {
    const log = new DatabaseSync(file, { returnArrays: true });
    const rows = log.prepare(ROWS).all() as Row[];
    log.close();
    this.database.exec('BEGIN');
    for (const row of rows) this.statements.event.run(...row);
    const events = rows.map(decode);
    events.forEach(event => this.learnIdentity(event));
    this.models?.fold(events);
    this.database.exec('COMMIT');
  }

  agent(museId: string): Agent {
    return this.agents.get(museId)!;
  }

  ownerOf(hash: string): string | undefined {
    return this.tokens.get(hash);
  }

  append(event: NewEvent, nonce: string, counted: readonly string[]): Promise<string> {
    return this.commit(() => {
      this.count(nonce, counted);
      const revision = (this.statements.revision.get(event.stream) as [number] | undefined)?.[0] ?? -1;
      const { id, stream, type, ...body } = event;
      const row = [stream, revision + 1, id, type, JSON.stringify(body)];
      const position = Number(this.statements.append.run(...row).lastInsertRowid);
      const stored = { ...event, revision: revision + 1, position: positionOf(position) };
      return { result: stored.position, event: stored };
    });
  }

  async claim(nonce: string, counted: readonly string[]): Promise<void> {
    await this.commit(() => ({ result: this.count(nonce, counted) }));
  }

  keep({ texts, feed, tail }: { texts: [id: string, text: string][]; feed: string[]; tail: string }): void {
    for (const [id, text] of texts) this.statements.text.run(id, `"${id}"`, text);
    feed.forEach((item, at) => this.statements.item.run(feed.length - at, item));
    if (tail) this.feedTail = tail;
  }

  etag(id: string): string | undefined {
    return (this.statements.etag.get(id) as [string] | undefined)?.[0];
  }

  text(id: string): string | undefined {
    return (this.statements.read.get(id) as [string] | undefined)?.[0];
  }

  feed(): string {
    const items = this.statements.feed.all(FEED_ITEMS) as [string][];
    return `{"ok":true,"items":[${items.map(([item]) => item).join()}],${this.feedTail}}`;
  }

  private learnIdentity({ type, data }: Event): void {
    const { muse_id, name, public_key, hash } = data as Agent & { hash: string };
    if (type === 'Registered') this.agents.set(muse_id, { muse_id, name, public_key });
    if (type === 'TokenIssued') this.tokens.set(hash, muse_id);
  }

  private count(nonce: string, counted: readonly string[]): void {
    this.statements.nonce.run(nonce);
    if (!this.does.sealed) return;
    this.statements.counter.run(`muse/${counted[0]}`);
    this.statements.counter.run(`address/${counted.length}`);
  }

  private commit<T>(work: () => { result: T; event?: Event }): Promise<T> {
    return new Promise(resolve => {
      this.queue.push(() => {
        const { result, event } = work();
        if (event) this.models?.add(event);
        return () => resolve(result);
      });
      if (this.queue.length === 1) setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    const { queue } = this;
    this.queue = [];
    this.database.exec('BEGIN IMMEDIATE');
    const answers = queue.map(work => work());
    this.models?.write();
    this.database.exec('COMMIT');
    answers.forEach(answer => answer());
  }
}

type Row = [position: number, stream: string, revision: number, id: string, type: string, body: string];

const positionOf = (position: number) => String(position).padStart(POSITION_WIDTH, '0');

/** Sealed fields that are lists. */
const LISTS: ReadonlySet<string> = new Set(['tags', 'skills', 'services']);

/** Reads a log row as an event; without a key, sealed values are read as their ciphertext. */
export function decode([position, stream, revision, id, type, body]: Row): Event {
  const envelope = JSON.parse(body) as { data: { [name: string]: unknown } };
  for (const [name, value] of Object.entries(envelope.data)) envelope.data[name] = textOf(name, value);
  return { id, type, stream, revision, position: positionOf(position), ...envelope } as unknown as Event;
}

function textOf(name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !('sealed' in value)) return value;
  return LISTS.has(name) ? [] : value.sealed;
}

function prepare(database: DatabaseSyncInstance) {
  const prepared = (sql: string) => database.prepare(sql);
  return {
    event: prepared('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)'),
    append: prepared('INSERT INTO events (stream, revision, id, type, body) VALUES (?, ?, ?, ?, ?)'),
    revision: prepared('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1'),
    nonce: prepared('INSERT INTO nonces VALUES (?)'),
    counter: prepared('INSERT INTO counters VALUES (?, 1) ON CONFLICT DO UPDATE SET value = value + 1'),
    text: prepared('INSERT INTO texts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body'),
    item: prepared('INSERT OR REPLACE INTO feed VALUES (?, ?)'),
    etag: prepared('SELECT etag FROM texts WHERE id = ?'),
    read: prepared('SELECT body FROM texts WHERE id = ?'),
    feed: prepared('SELECT body FROM feed ORDER BY position DESC LIMIT ?'),
  };
}
