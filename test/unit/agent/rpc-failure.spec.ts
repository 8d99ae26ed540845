import { describe, expect, test } from '@jest/globals';
import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { toRpcError } from '#apps/agent/bridge.js';

const answered = (status: number, text: string) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing to endpoint', { status, text });

describe('the error of a failed bridge request', () => {
  test('is the JSON-RPC error of the service, whatever the HTTP status', () => {
    const error = { code: -32600, message: 'This is no request.' };
    expect(toRpcError(answered(400, JSON.stringify({ jsonrpc: '2.0', id: null, error })))).toEqual(error);
  });

  test('carries the code and retry_after of a refusal', () => {
    const refusal = { ok: false, code: 'rate_limited', error: 'Too many requests.', retry_after: 7 };
    expect(toRpcError(answered(429, JSON.stringify(refusal)))).toEqual({
      code: -32000,
      message: 'Too many requests.',
      data: refusal,
    });
  });

  test('is an internal error if the response is not from the service', () => {
    const page = answered(502, '<h1>Bad gateway</h1>');
    expect(toRpcError(page)).toEqual({ code: -32603, message: page.message });
    expect(toRpcError(new Error('fetch failed'))).toEqual({ code: -32603, message: 'fetch failed' });
  });
});
