/** What no method of a JSON-RPC interface has seen yet (JSON-RPC 2.0, section 5.1): no JSON, and JSON that is no request. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
/** What only the server can name. */
export const SERVER_ERROR = -32000;
