import { isJSONRPCRequest, ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server';

const OF_BOTH = [
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
] as const;
const OF_LEGACY = [
  ['initialize', specTypeSchemas.InitializeRequest],
  ['ping', specTypeSchemas.PingRequest],
] as const;

/** The methods of the newer protocol, whose `initialize` is an unknown method. */
export const MODERN_SHAPES: Shapes = new Map<string, Shape>(OF_BOTH);
export const LEGACY_SHAPES: Shapes = new Map<string, Shape>([...OF_BOTH, ...OF_LEGACY]);

/** The error of JSON-RPC for parameters of a wrong shape; the SDK would send its validator's own report. */
export function refusalOfShape(body: unknown, shapes: Shapes): object | undefined {
  if (!isJSONRPCRequest(body)) return undefined;
  const checked = shapes.get(body.method)?.['~standard'].validate(body);
  if (!checked?.issues) return undefined;
  const message = checked.issues
    .map(({ path = [], message: why }) => `${path.map(keyOf).join('.')}: ${why}.`)
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

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof segment === 'object' ? segment.key : segment);
