import { isJSONRPCRequest, ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server';

const COMMON_REQUESTS = [
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
] as const;
const LEGACY_REQUESTS = [
  ['initialize', specTypeSchemas.InitializeRequest],
  ['ping', specTypeSchemas.PingRequest],
] as const;

/** The methods of the newer protocol, whose `initialize` is an unknown method. */
export const MODERN_SHAPES: Shapes = new Map<string, Shape>(COMMON_REQUESTS);
export const LEGACY_SHAPES: Shapes = new Map<string, Shape>([...COMMON_REQUESTS, ...LEGACY_REQUESTS]);

/** The error of JSON-RPC for parameters of a wrong shape; the SDK would send its validator's own report. */
export function checkShape(body: unknown, shapes: Shapes): object | undefined {
  if (!isJSONRPCRequest(body)) return undefined;
  const checked = shapes.get(body.method)?.['~standard'].validate(body);
  if (!checked?.issues) return undefined;
  const message = checked.issues
    .map(({ path = [], message: why }) => `${path.map(pathKeyOf).join('.')}: ${why}.`)
    .join(' ');
  return { jsonrpc: '2.0', id: body.id, error: { code: ProtocolErrorCode.InvalidParams, message } };
}

type Shapes = ReadonlyMap<string, Shape>;
interface Shape {
  readonly '~standard': { readonly validate: (value: unknown) => { readonly issues?: readonly Issue[] | undefined } };
}
interface Issue {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly message: string;
}

const pathKeyOf = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof segment === 'object' ? segment.key : segment);
