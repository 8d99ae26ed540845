import { isJSONRPCRequest, ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server';

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['ping', specTypeSchemas.PingRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
]);

/** The error of JSON-RPC for parameters of a wrong shape; the SDK would send its validator's own report. */
export function refusalOfShape(body: unknown): object | undefined {
  if (!isJSONRPCRequest(body)) return undefined;
  const checked = SHAPES.get(body.method)?.['~standard'].validate(body);
  if (!checked?.issues) return undefined;
  const message = checked.issues
    .map(({ path = [], message: why }) => `${path.map(keyOf).join('.')}: ${why}.`)
    .join(' ');
  return { jsonrpc: '2.0', id: body.id, error: { code: ProtocolErrorCode.InvalidParams, message } };
}

interface Shape {
  readonly '~standard': { readonly validate: (value: unknown) => { readonly issues?: readonly Issue[] | undefined } };
}
interface Issue {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly message: string;
}

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof segment === 'object' ? segment.key : segment);
