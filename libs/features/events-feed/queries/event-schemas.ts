import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AnyEventType } from '#libs/streams/define.js';
import { EVENT_TYPES } from '#libs/streams/streams.js';
import type { JsonObject } from '#libs/kernel/json.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export class ShowEventSchemas extends Query<JsonObject> {}

/** JSON Schema 2020-12 of the data of every event type and version, and which of its members the log holds sealed. */
@QueryHandler(ShowEventSchemas)
export class ShowEventSchemasHandler implements IQueryHandler<ShowEventSchemas> {
  private readonly answer = { $schema: DIALECT, events: [...EVENT_TYPES.values()].flatMap(described) };

  async execute(): Promise<JsonObject> {
    return this.answer;
  }
}

/** The newest version first. */
function described({ type, versions, privateType }: AnyEventType): JsonObject[] {
  const all = versions.map(({ schema, seals }, index) => ({
    type,
    version: index + 1,
    private_type: privateType,
    sealed: { private: seals.private, personal: seals.personal, held: seals.held },
    schema: JSON.parse(JSON.stringify(schema)) as JsonObject,
  }));
  return all.reverse();
}
