import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { Projector, type ProjectorParts } from '#libs/documents/projector.js';
import { type Reaction, ReactionRunner } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { ClaimLost } from '#libs/domain/muse.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { asEvents } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';

const UNTIL_MS = 10_000;
const POLL_MS = 5;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + UNTIL_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not come to that in time.');
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

export type Counted = { readonly seen: readonly string[] };

/** Projection of one document that lists the claims it saw; throws at `poison`. */
export function seen(name: string, poison?: string): Projection<Counted> {
  return {
    name,
    version: 1,
    types: [ClaimLost.type],
    indexes: {},
    keys: () => ['all'],
    evolve: (document, event) => {
      const { claim } = event.data as { claim: string };
      if (claim === poison) throw new Error(`no ${claim} here`);
      return { seen: [...(document?.seen ?? []), claim] };
    },
  };
}

/** Log and documents in a temporary folder; everything started is stopped after the test. */
export class DocumentsBench extends InMemoryStores {
  readonly errors: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'documents-'));
  readonly file = join(this.folder, 'documents.db');
  readonly store = SqliteDocumentStore.open(this.file);
  private readonly running: { stop(): Promise<void> }[] = [];
  private appended = 0;

  /** Appends one event per word. */
  async say(...words: string[]): Promise<void> {
    for (const claim of words) {
      const [event] = asEvents([ClaimLost({ claim })], 'muse-agent_poster0000');
      await this.journal.append('muse-agent_poster0000', 'any', [{ ...event!, id: `said-${(this.appended += 1)}` }]);
    }
  }

  models(projections: readonly Projection<never>[]): ReadModels {
    return new ReadModels(this.store, this.log, projections);
  }

  async project(projections: readonly Projection<Counted>[], models?: ReadModels): Promise<ReadModels> {
    const read = models ?? this.models(projections as never);
    await read.open();
    await this.projector(projections, { models: read });
    return read;
  }

  async projector(
    projections: readonly Projection<Counted>[],
    how: Pick<ProjectorParts, 'models' | 'holder'>,
  ): Promise<Projector> {
    const { journal, store, clock, report } = this;
    const own = projections as unknown as Projection[];
    const projector = new Projector({ journal, store, clock, log: report, projections: own, ...how });
    await projector.start();
    this.running.push(projector);
    return projector;
  }

  async react(name: string, react: (event: Event) => Promise<void>): Promise<ReactionRunner> {
    const { journal, store, clock } = this;
    const reaction: Reaction = { name, types: [ClaimLost.type], react };
    const runner = new ReactionRunner(reaction, { journal, store, clock, log: this.report });
    runner.start();
    this.running.push(runner);
    return runner;
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map(each => each.stop()));
  }

  async end(): Promise<void> {
    await this.stop();
    await this.store.close();
    rmSync(this.folder, { recursive: true });
  }

  private readonly report = {
    error: (_details: JsonObject | object, message: string) => void this.errors.push(message),
  };
}

/** Makes one bench per test. */
export function benches(): () => DocumentsBench {
  let current: DocumentsBench | null = null;
  afterEach(async () => {
    await current?.end();
    current = null;
  });
  return () => (current ??= new DocumentsBench());
}
