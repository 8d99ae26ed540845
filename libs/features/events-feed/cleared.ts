import { fold, type Folded } from '#libs/documents/fold.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Codec } from '#libs/event-log/codec.js';
import type { EventLog } from '#libs/event-log/port.js';
import { START } from '#libs/kernel/event.js';
import { type ClearedDocument, ClearedValues } from '#libs/views/cleared-values.js';

/** How many events of a log are folded at once. */
const PAGE = 1_000;

/** Where the fields of some muses' profiles were cleared last, by muse; at most 1,000 of them. */
export type Cleared = (muses: readonly string[]) => Promise<ReadonlyMap<string, ClearedDocument>>;

/** As the read models know it. */
export function clearedIn(models: ReadModels): Cleared {
  return async muses => {
    const documents = await models.of(ClearedValues).getMany(muses);
    return new Map(documents.map(({ id, body }) => [id, body]));
  };
}

/** As a log says that is at hand without its read models; it is read through at the first question. */
export function clearedUpToHead(log: Pick<EventLog, 'readAll' | 'head'>, codec: Codec): Cleared {
  let all: Promise<ReadonlyMap<string, ClearedDocument>> | undefined;
  return () => (all ??= folded(log, codec));
}

async function folded(log: Pick<EventLog, 'readAll' | 'head'>, codec: Codec) {
  const documents = new Map<string, Folded>();
  const head = await log.head();
  for (let after = START; after < head;) {
    const page = await log.readAll(after, PAGE, ClearedValues.types);
    const events = await codec.openAll(page.events);
    for (const document of fold(ClearedValues, events, documents)) documents.set(document.id, document);
    if (page.next === after) break;
    after = page.next;
  }
  return new Map([...documents].map(([id, { body }]) => [id, body as ClearedDocument]));
}
