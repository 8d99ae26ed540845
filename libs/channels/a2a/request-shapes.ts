import { Role, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { Compile, type Validator } from 'typebox/schema';
import type { JsonObject } from '#libs/kernel/json.js';

/**
 * Member types of requests (A2A 1.0, 3 and 4). The SDK silently converts or drops members of a wrong type, such as an
 * object to "[object Object]".
 */
const STRING = { type: 'string' };
const TEXT = { type: ['string', 'null'] };
const FLAG = { type: ['boolean', 'null'] };
const OBJECT = { type: ['object', 'null'] };
/** ProtoJSON and query strings also write numbers as strings. */
const COUNT = {
  anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string', pattern: '^[0-9]{1,9}$' }, { type: 'null' }],
};
const listOf = (items: object) => ({ type: ['array', 'null'], items });
/** ProtoJSON writes an enum value as its name or number. */
const oneOf = (values: object) => ({
  enum: [...Object.entries(values).filter(([, value]) => typeof value === 'number' && value >= 0), [null]].flat(),
});

const DATE = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const HOUR_AND_MINUTE = '([01][0-9]|2[0-3]):[0-5][0-9]';
/** RFC 3339, section 5.6. */
const TIME = {
  type: ['string', 'null'],
  pattern: `^${DATE}[Tt]${HOUR_AND_MINUTE}:[0-5][0-9]([.][0-9]+)?([Zz]|[+-]${HOUR_AND_MINUTE})$`,
};

interface Schema {
  readonly [keyword: string]: unknown;
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** ProtoJSON also allows member names in snake case. */
function members(properties: Schema, more: Schema = {}): Schema {
  const snakeCased = Object.entries(properties).map(([name, schema]) => [snakeCase(name), schema] as const);
  return { type: ['object', 'null'], properties: { ...properties, ...Object.fromEntries(snakeCased) }, ...more };
}

/** Members in A2A 0.3. */
const legacyMembers = (required: readonly string[], properties: Schema) => ({ type: 'object', required, properties });
const orNull = (schema: object) => ({ ...schema, type: ['object', 'null'] });

const CONTENTS = ['text', 'data', 'raw', 'url'];
const isPresent = (name: string) => ({ required: [name], properties: { [name]: { not: { type: 'null' } } } });
const PART = members(
  { text: TEXT, data: {}, raw: TEXT, url: TEXT, metadata: OBJECT, filename: TEXT, mediaType: TEXT },
  { type: 'object', oneOf: CONTENTS.map(isPresent) },
);
const MESSAGE_MEMBERS = {
  messageId: TEXT,
  contextId: TEXT,
  taskId: TEXT,
  metadata: members({ 'x402.payment.payload': OBJECT, 'x402.payment.status': TEXT }),
  extensions: listOf(STRING),
  referenceTaskIds: listOf(STRING),
};
const MESSAGE = members({ ...MESSAGE_MEMBERS, role: oneOf(Role), parts: listOf(PART) });
const PUSH_CONFIG = members({
  tenant: TEXT,
  id: TEXT,
  taskId: TEXT,
  url: TEXT,
  token: TEXT,
  authentication: members({ scheme: TEXT, credentials: TEXT }),
});
const CONFIGURATION = members({
  acceptedOutputModes: listOf(STRING),
  taskPushNotificationConfig: PUSH_CONFIG,
  historyLength: COUNT,
  returnImmediately: FLAG,
});
const SEND = Compile(members({ tenant: TEXT, message: MESSAGE, configuration: CONFIGURATION, metadata: OBJECT }));
const LIST = members({
  tenant: TEXT,
  contextId: TEXT,
  status: oneOf(TaskState),
  pageSize: COUNT,
  pageToken: TEXT,
  historyLength: COUNT,
  statusTimestampAfter: TIME,
  includeArtifacts: FLAG,
});
const OF_TASK = Compile(members({ tenant: TEXT, id: TEXT, historyLength: COUNT, metadata: OBJECT }));
const OF_CONFIG = Compile(members({ tenant: TEXT, taskId: TEXT, id: TEXT, pageSize: COUNT, pageToken: TEXT }));
const ANY = Compile({ type: 'object' });

/** Parameters of the JSON-RPC methods of A2A 1.0 (9.4). */
export const SHAPES = {
  SendMessage: SEND,
  SendStreamingMessage: SEND,
  GetTask: OF_TASK,
  ListTasks: Compile(LIST),
  CancelTask: OF_TASK,
  SubscribeToTask: OF_TASK,
  CreateTaskPushNotificationConfig: Compile(PUSH_CONFIG),
  GetTaskPushNotificationConfig: OF_CONFIG,
  ListTaskPushNotificationConfigs: OF_CONFIG,
  DeleteTaskPushNotificationConfig: OF_CONFIG,
  GetExtendedAgentCard: ANY,
};

const LEGACY_KINDS = ['text', 'data', 'file'];
const LEGACY_PART = legacyMembers(['kind'], {
  kind: { enum: LEGACY_KINDS },
  text: STRING,
  data: { type: 'object' },
  file: legacyMembers([], { bytes: STRING, uri: STRING, name: TEXT, mimeType: TEXT }),
  metadata: OBJECT,
});
const LEGACY_MESSAGE = legacyMembers(['messageId', 'role', 'parts'], {
  ...MESSAGE_MEMBERS,
  role: { enum: ['user', 'agent'] },
  parts: {
    type: 'array',
    items: {
      ...LEGACY_PART,
      allOf: LEGACY_KINDS.map(kind => ({ if: { properties: { kind: { const: kind } } }, then: { required: [kind] } })),
    },
  },
});
const LEGACY_PUSH_CONFIG = legacyMembers(['url'], {
  id: TEXT,
  url: STRING,
  token: TEXT,
  authentication: orNull(
    legacyMembers(['schemes'], { schemes: { type: 'array', items: STRING, minItems: 1 }, credentials: TEXT }),
  ),
});
const LEGACY_CONFIGURATION = orNull(
  legacyMembers([], {
    acceptedOutputModes: listOf(STRING),
    blocking: FLAG,
    historyLength: COUNT,
    pushNotificationConfig: orNull(LEGACY_PUSH_CONFIG),
  }),
);
const LEGACY_SEND = Compile(
  legacyMembers(['message'], { message: LEGACY_MESSAGE, configuration: LEGACY_CONFIGURATION, metadata: OBJECT }),
);
const ofLegacyTask = (...required: string[]) =>
  Compile(
    legacyMembers(['id', ...required], {
      id: STRING,
      historyLength: COUNT,
      pushNotificationConfigId: STRING,
      metadata: OBJECT,
    }),
  );

/** Parameters of the JSON-RPC methods of A2A 0.3. */
export const LEGACY_SHAPES = {
  'message/send': LEGACY_SEND,
  'message/stream': LEGACY_SEND,
  'tasks/get': ofLegacyTask(),
  'tasks/cancel': ofLegacyTask(),
  'tasks/resubscribe': ofLegacyTask(),
  'tasks/pushNotificationConfig/set': Compile(
    legacyMembers(['taskId', 'pushNotificationConfig'], { taskId: STRING, pushNotificationConfig: LEGACY_PUSH_CONFIG }),
  ),
  'tasks/pushNotificationConfig/get': ofLegacyTask(),
  'tasks/pushNotificationConfig/list': ofLegacyTask(),
  'tasks/pushNotificationConfig/delete': ofLegacyTask('pushNotificationConfigId'),
  'agent/getAuthenticatedExtendedCard': ANY,
};

/** Throws -32602 and names the first invalid member. */
export function assertShape(shape: Validator, params: JsonObject): void {
  if (shape.Check(params)) return;
  const [, [error]] = shape.Errors(params);
  const name = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  throw new RequestMalformedError(
    `${name === '' ? 'The request' : `\`${name}\``} ${error?.message ?? 'has a wrong type'}.`,
  );
}
