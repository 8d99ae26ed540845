import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { ServerCallContext } from '@a2a-js/sdk/server';
import type { JsonObject } from '#libs/kernel/json.js';
import type { RequestHandler } from './operations.js';
import { LEGACY_VERSION } from './protocol.js';
import { assertShape, LEGACY_SHAPES } from './request-shapes.js';

/** JSON-RPC methods of A2A 0.3. */
export type LegacyMethod = keyof typeof LEGACY_SHAPES;

export const isLegacyMethod = (method: string): method is LegacyMethod => Object.hasOwn(LEGACY_SHAPES, method);

interface LegacyCall {
  readonly id: string | number | null;
  readonly method: LegacyMethod;
  readonly params: JsonObject;
}

/** Returns the JSON-RPC response, or responses of a stream. Throws the errors of the operation. */
export async function handleLegacyCall(
  handler: RequestHandler,
  { id, method, params }: LegacyCall,
): Promise<JsonObject | AsyncGenerator<JsonObject>> {
  assertShape(LEGACY_SHAPES[method], params);
  const failures: Error[] = [];
  const recording = recordErrors(handler, error => failures.push(error));
  const request = { jsonrpc: '2.0', id, method, params: adaptParams(method, params) };
  const context = new ServerCallContext({ requestedVersion: LEGACY_VERSION });
  const response = await new LegacyJsonRpcTransportHandler(recording).handle(request, context);
  if (failures[0]) throw failures[0];
  const result = response as unknown as JsonObject | AsyncGenerator<JsonObject>;
  return method === 'message/stream' && Symbol.asyncIterator in result ? markFinal(result) : result;
}

/** The SDK would turn errors of the operation into responses without their details. */
const recordErrors = (handler: RequestHandler, record: (error: Error) => void): RequestHandler =>
  new Proxy(handler, {
    get: (target, name: keyof RequestHandler) => (request: never) => {
      const result = target[name](request);
      if (result instanceof Promise) result.catch(record);
      return result;
    },
  });

interface LegacyPushConfig {
  readonly authentication?: { readonly schemes: string[] } | null;
}
interface LegacyParams {
  readonly id?: string;
  readonly pushNotificationConfigId?: string;
  readonly configuration?: { readonly pushNotificationConfig?: LegacyPushConfig | null } | null;
  readonly pushNotificationConfig?: LegacyPushConfig;
}

/** Keeps the first scheme, because the SDK logs the others. The id of a configuration defaults to the task id. */
function adaptParams(method: LegacyMethod, params: LegacyParams): LegacyParams {
  const { configuration, pushNotificationConfig = configuration?.pushNotificationConfig } = params;
  pushNotificationConfig?.authentication?.schemes.splice(1);
  return method === 'tasks/pushNotificationConfig/get' ? { pushNotificationConfigId: params.id!, ...params } : params;
}

interface StatusUpdate {
  final?: boolean;
  readonly status?: { readonly state: string };
}

/** A stream of a message ends when the task needs input, so that update is final. */
async function* markFinal(responses: AsyncGenerator<JsonObject>): AsyncGenerator<JsonObject> {
  for await (const response of responses) {
    const { final, status } = response['result'] as StatusUpdate;
    const isLast = final === false && status?.state === 'input-required';
    yield isLast ? { ...response, result: { ...(response['result'] as object), final: true } } : response;
  }
}
