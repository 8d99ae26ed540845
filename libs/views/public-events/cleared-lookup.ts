import type { ReadModels } from '#libs/documents/read-models.js';
import type { Codec } from '#libs/event-log/codec.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import { type ClearedDocument, ClearedValues } from '../cleared-values.js';

/** Where the fields of some muses' profiles were cleared last, by muse, or of some posts, by stream; at most 1,000. */
export type ClearedLookup = (holders: readonly string[]) => Promise<ReadonlyMap<string, ClearedDocument>>;

/** As the read models know it, and the log behind them: what was taken back is hidden from the next answer on. */
export function lookUpInReadModels(
  models: ReadModels,
  log: Pick<EventLog, 'readAll' | 'head'>,
  codec: Codec,
): ClearedLookup {
  return async holders => {
    const position = await models.position(ClearedValues);
    const documents = await models.of(ClearedValues).getMany(holders);
    return foldCleared(log, codec, new Map(documents.map(({ id, body }) => [id, body])), position);
  };
}

/** As a log says that is at hand without its read models; it is read through at the first question. */
export function lookUpInLog(log: Pick<EventLog, 'readAll' | 'head'>, codec: Codec): ClearedLookup {
  let all: Promise<ReadonlyMap<string, ClearedDocument>> | undefined;
  return () => (all ??= foldCleared(log, codec, new Map(), LOG_START));
}

/** What the log says behind a position besides; what a document says already it is told again. */
async function foldCleared(
  log: Pick<EventLog, 'readAll' | 'head'>,
  codec: Codec,
  documents: Map<string, ClearedDocument>,
  after: Position,
) {
  for await (const stored of iterateEvents(log, { after, types: ClearedValues.types })) {
    if (!codec.canOpen(stored)) continue;
    const event = await codec.open(stored);
    for (const id of ClearedValues.keys(event))
      documents.set(id, ClearedValues.evolve(documents.get(id), event, id) ?? {});
  }
  return documents;
}
