import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fold } from '#libs/documents/fold.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import type { Event } from '#libs/kernel/event.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { Posters } from '#libs/features/hires/views/posters.js';
import type { DeclaredProjection } from '#libs/views/projection.js';
import type { VaultEntry } from '#libs/platform/vault/port.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { SETUP_EVENTS, toEvents, REPEATED_EVENTS, GROWING_STREAMS, type EventSketch } from '../repeated-events.js';
import { measureGrowth } from '../growth.js';
import type { Row } from './report.js';

/** Number of events of one kind; measured again with ten times as many. */
const FEW = 1_000;
/** Uncached keys of a page, and the response time of a remote vault. */
const COLD_KEYS = 500;
const ANSWER_MS = 1;
const SINGLE_KEYS = 20;

/** Cost of one event on a stream or document with ten times as many events. */
export async function streamsAndDocuments(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, entity, first, fact] of GROWING_STREAMS) {
    const prepared = (n: number) => {
      const facts = [...first, ...Array.from({ length: n }, (_, at) => fact(at))];
      const events = toEvents(facts.map(({ type, data }): EventSketch => [type, data as object, 'stream-x']));
      return () => events.reduce((state, event) => entity.evolve(state, event), entity.initial);
    };
    rows.push(rowOf(`an event among the ${what}`, await measureGrowth(FEW, prepared)));
  }
  const documents: readonly [string, DeclaredProjection][] = [
    ['free hires by one poster', Posters],
    ['rechecks of one delivery, answered', Hires],
    ['versions of one delivery', Hires],
  ];
  for (const [what, projection] of documents) {
    const prepared = (n: number) => {
      const growth = Array.from({ length: n }, (_, at) => REPEATED_EVENTS[what]!(at)).flat();
      const events = toEvents([...SETUP_EVENTS, ...growth]).filter(({ type }) => projection.types.includes(type));
      return () => writtenOneByOne(projection, events);
    };
    rows.push(rowOf(`a document of ${projection.name} with ${what}`, await measureGrowth(FEW, prepared)));
  }
  return rows;
}

/** Serializes each document after each event, as a projector does when events arrive one at a time. */
function writtenOneByOne(projection: DeclaredProjection, events: readonly Event[]): number {
  const documents = new Map();
  let characters = 0;
  for (const event of events) {
    for (const document of fold(projection, [event], documents)) {
      documents.set(document.id, document);
      characters += JSON.stringify(document.body).length;
    }
  }
  return characters;
}

function rowOf(what: string, ratio: number): Row {
  const figures = `${FEW * 10} against ${FEW}`;
  return { name: `cost of ${what}`, ratio, floor: 4, aim: 1.5, better: 'less', figures };
}

/** Vault with a fixed delay per call. */
class DistantVault extends MemoryVault {
  override async get(name: string): Promise<VaultEntry | undefined> {
    await pause(ANSWER_MS);
    return super.get(name);
  }

  override async getMany(names: readonly string[]): Promise<ReadonlyMap<string, VaultEntry>> {
    await pause(ANSWER_MS);
    return super.getMany(names);
  }
}

/** Cost of reading a page's uncached keys together, compared with one after the other. */
export async function coldKeys(): Promise<Row[]> {
  const vault = new DistantVault();
  const owners = Array.from({ length: COLD_KEYS }, (_, n) => `agent_${n}`);
  for (const owner of owners) await vault.putIfAbsent(`seal/${owner}`, randomBytes(32));
  const together = await timed(() => new MuseKeys(vault).forOpeningAll(new Set(owners)));
  const keys = new MuseKeys(vault);
  const single = await timed(async () => {
    for (const owner of owners.slice(0, SINGLE_KEYS)) await keys.forOpening(owner);
  });
  const apart = (single / SINGLE_KEYS) * COLD_KEYS;
  const name = `${COLD_KEYS} cold keys of a page, against one after the other`;
  const figures = `${together.toFixed(1)} against ${apart.toFixed()} ms at ${ANSWER_MS} ms an answer`;
  return [{ name, ratio: together / apart, floor: 0.2, aim: 0.05, better: 'less', figures }];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
