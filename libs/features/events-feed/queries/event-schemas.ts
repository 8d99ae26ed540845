import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AnyEventType } from '#libs/streams/define.js';
import { EVENT_TYPES } from '#libs/streams/streams.js';
import type { JsonObject } from '#libs/kernel/json.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export class ShowEventSchemas extends Query<JsonObject> {}

/** JSON Schema 2020-12 of the data of every event type and version, and which of its members the log holds sealed. */
@QueryHandler(ShowEventSchemas)
export class ShowEventSchemasHandler implements IQueryHandler<ShowEventSchemas> {
  private readonly answer = { $schema: DIALECT, events: [...EVENT_TYPES.values()].map(described) };

  async execute(): Promise<JsonObject> {
    return this.answer;
  }
}

function described({ type, version, schema, seals, privateType }: AnyEventType): JsonObject {
  const plain = JSON.parse(JSON.stringify(schema)) as JsonObject;
  const { private: privates, personal, held } = seals;
  return { type, version, private_type: privateType, sealed: { private: privates, personal, held }, schema: plain };
}
