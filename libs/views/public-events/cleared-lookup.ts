import type { ReadModels } from '#libs/documents/read-models.js';
import type { Codec } from '#libs/event-log/codec.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import { type ClearedDocument, ClearedValues } from '../cleared-values.js';

/** Returns the cleared fields by holder: a muse id or a stream. At most 1,000 holders. */
export type ClearedLookup = (holders: readonly string[]) => Promise<ReadonlyMap<string, ClearedDocument>>;

/** Reads the log after the read models' position too, so that a cleared value is hidden from the next response on. */
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

export function lookUpInLog(log: Pick<EventLog, 'readAll' | 'head'>, codec: Codec): ClearedLookup {
  let all: Promise<ReadonlyMap<string, ClearedDocument>> | undefined;
  return () => (all ??= foldCleared(log, codec, new Map(), LOG_START));
}

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
