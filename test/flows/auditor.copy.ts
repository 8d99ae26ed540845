import { formatDecisionKey } from '#libs/kernel/ids.js';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { runCommand } from '#apps/auditor/commands.js';
import { readArguments } from '#apps/auditor/arguments.js';
import type { VerifyReport } from '#apps/auditor/verify.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { LOG_START } from '#libs/kernel/event.js';
import { readSettings } from '#libs/setup/settings.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const PAGE = 1_000;

interface Body {
  at: number;
  actor: string;
  based_on: { [stream: string]: number };
  authorization: { [name: string]: unknown };
  data: { [name: string]: unknown };
}

/** A copy of a log and its vault, for tampering. */
export class LogCopy {
  private readonly file: string;

  constructor(
    from: string,
    readonly folder: string,
  ) {
    mkdirSync(folder);
    const stores = readdirSync(from).filter(name => /^(events|vault)\.db/.test(name));
    for (const name of stores) cpSync(join(from, name), join(folder, name));
    this.file = join(folder, 'events.db');
  }

  /** Rewrites the newest event of a type, as an attacker with file access could. */
  rewrite(type: string, change: (body: Body) => void): void {
    const { position, body } = this.newest(type);
    const changed = JSON.parse(body) as Body;
    change(changed);
    this.run('UPDATE events SET body = ? WHERE position = ?', JSON.stringify(changed), position);
  }

  dropStream(like: string): void {
    this.run('DELETE FROM events WHERE stream LIKE ?', like);
  }

  cut(events: number): void {
    this.run('DELETE FROM events WHERE position > (SELECT max(position) FROM events) - ?', events);
  }

  async event(type: string): Promise<Event> {
    return this.within(async journal => {
      const matches: Event[] = [];
      for (let after = LOG_START; ;) {
        const { events, next } = await journal.readAll(after, PAGE);
        matches.push(...events.filter(event => event.type === type));
        if (next === after) return matches.at(-1)!;
        after = next;
      }
    });
  }

  /** Appends events as the service does, correctly signed, but with false contents. */
  async insert(stream: string, like: Event, changed: Partial<Event>, ...facts: Fact[]): Promise<Event[]> {
    const { actor, at, cause, decided_by: decidedBy, authorization, based_on: basedOn } = { ...like, ...changed };
    const context = {
      actor,
      at,
      cause,
      decidedBy,
      authorization,
      basedOn,
      requestKey: formatDecisionKey(cause, decidedBy),
    };
    return this.within(journal => journal.append(stream, 'any', newEvents(facts, stream, context)));
  }

  async verify(...options: string[]): Promise<VerifyReport> {
    const settings = readSettings({ DATA_DIR: this.folder, BASE_URL: 'http://jobs.example' });
    return (await runCommand(readArguments(['verify', ...options])!, settings)).json as VerifyReport;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private newest(type: string): { readonly position: number; readonly body: string } {
    const database = new DatabaseSync(this.file);
    const query = database.prepare('SELECT position, body FROM events WHERE type = ? ORDER BY position DESC LIMIT 1');
    const row = query.get(type) as { readonly position: number; readonly body: string };
    database.close();
    return row;
  }

  private run(statement: string, ...values: (string | number)[]): void {
    const database = new DatabaseSync(this.file);
    database.prepare(statement).run(...values);
    database.close();
  }

  private async within<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
    const [log, vault] = [SqliteEventLog.open(this.file), SqliteVault.open(join(this.folder, 'vault.db'))];
    try {
      return await work(new Journal(log, new Codec(new MuseKeys(vault), EVENT_TYPES)));
    } finally {
      await Promise.all([log.close(), vault.close()]);
    }
  }
}
