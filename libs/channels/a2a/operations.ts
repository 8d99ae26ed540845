import { A2A_ERROR_CODE, RequestMalformedError } from '@a2a-js/sdk/errors';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import type { JsonObject } from '#libs/kernel/json.js';
import { LEGACY_VERSION, PROTOCOL_VERSION, type ProtocolVersion } from './protocol.js';
import type { RequestHandler } from './request-handler.js';
import { assertShape, LEGACY_SHAPES, SHAPES } from './request-shapes.js';

/** JSON-RPC methods of A2A 1.0, which the HTTP+JSON binding calls too. */
export type Method = keyof typeof SHAPES;
type LegacyMethod = keyof typeof LEGACY_SHAPES;

const isLegacyMethod = (method: string): method is LegacyMethod => Object.hasOwn(LEGACY_SHAPES, method);

/** Version of the protocol that has the method; undefined if there is none. */
export function versionOf(method: string): ProtocolVersion | undefined {
  if (isLegacyMethod(method)) return LEGACY_VERSION;
  return Object.hasOwn(SHAPES, method) ? PROTOCOL_VERSION : undefined;
}

export type RequestId = string | number | null;

export interface OperationCall {
  readonly id: RequestId;
  readonly method: Method | LegacyMethod;
  readonly params: JsonObject;
}

/** Returns the JSON-RPC response, or responses of a stream. Throws the errors of the operation. */
export async function callOperation(
  handler: RequestHandler,
  { id, method, params }: OperationCall,
): Promise<JsonObject | AsyncGenerator<JsonObject>> {
  const isLegacy = isLegacyMethod(method);
  assertShape(isLegacy ? LEGACY_SHAPES[method] : SHAPES[method], params);
  const failures: Error[] = [];
  const recording = recordErrors(handler, error => failures.push(error));
  const transport = isLegacy ? new LegacyJsonRpcTransportHandler(recording) : new JsonRpcTransportHandler(recording);
  const request = { jsonrpc: '2.0', id, method, params: isLegacy ? adaptParams(method, params) : params };
  const context = new ServerCallContext({ requestedVersion: isLegacy ? LEGACY_VERSION : PROTOCOL_VERSION });
  const response = (await transport.handle(request, context)) as unknown as JsonObject | AsyncGenerator<JsonObject>;
  if (failures[0]) throw failures[0];
  if (Symbol.asyncIterator in response) return method === 'message/stream' ? markFinal(response) : response;
  assertNoError(response);
  return isLegacy ? response : completeResult(response);
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

interface OperationResult {
  readonly tasks?: readonly { artifacts?: readonly object[] }[];
}

/** Throws the errors that the SDK finds itself: it could not read the parameters, or not write the result. */
function assertNoError({ error }: JsonObject): void {
  if (error === undefined) return;
  const { code, message } = error as { readonly code: number; readonly message: string };
  throw code === A2A_ERROR_CODE.INVALID_PARAMS ? new RequestMalformedError(message) : new Error(message);
}

/** An operation without a result answers with an empty object, and a listed task without artifacts does not name them. */
function completeResult(response: JsonObject): JsonObject {
  const result = (response['result'] ?? {}) as JsonObject;
  for (const task of (result as OperationResult).tasks ?? []) if (task.artifacts?.length === 0) delete task.artifacts;
  return { ...response, result };
}

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
