import { isJSONRPCRequest, ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server';

const COMMON_REQUESTS = [
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
] as const;
const LEGACY_REQUESTS = [
  ['initialize', specTypeSchemas.InitializeRequest],
  ['ping', specTypeSchemas.PingRequest],
] as const;

/** The newer protocol has no `initialize` and `ping`. */
export const MODERN_SHAPES: Shapes = new Map<string, Shape>(COMMON_REQUESTS);
export const LEGACY_SHAPES: Shapes = new Map<string, Shape>([...COMMON_REQUESTS, ...LEGACY_REQUESTS]);

/** Returns a JSON-RPC error for invalid parameters. The SDK would send the raw report of its validator. */
export function checkShape(body: unknown, shapes: Shapes): object | undefined {
  if (!isJSONRPCRequest(body)) return undefined;
  const checked = shapes.get(body.method)?.['~standard'].validate(body);
  if (!checked?.issues) return undefined;
  const message = checked.issues
    .map(({ path = [], message: problem }) => `${path.map(pathKeyOf).join('.')}: ${problem}.`)
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
