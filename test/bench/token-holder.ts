import { fetchAll, type WireRequest, wire } from './load.js';

/** Asks for a response once the write is durable, as the bare server does. */
export const DURABLE = { 'min-position': '0' };

export class TokenHolder {
  constructor(
    readonly museId: string,
    private readonly token: string,
  ) {}

  request(endpoint: string, fields: object, headers: object = DURABLE): WireRequest {
    return wire('POST', `/api/${endpoint}`, { ...headers, authorization: `Bearer ${this.token}` }, fields);
  }
}

export async function quickstarts(port: number, count: number): Promise<TokenHolder[]> {
  const requests = Array.from({ length: count }, (_, at) =>
    wire('POST', '/api/quickstart', {}, { headline: `Holder ${at} of a token`, kind: 'tester' }),
  );
  const answers = await fetchAll<{ muse_id: string; token: string }>(port, requests);
  return answers.map(({ muse_id, token }) => new TokenHolder(muse_id, token));
}
