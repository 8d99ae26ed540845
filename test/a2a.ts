import { expect } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type HeaderFields, quickstart, type RawAgent, type Reply, send } from './raw-agent.js';
import { encodeBase64Json, signPayload, decodeBase64Json, encodePaymentV2 } from './x402.js';

export const VERSION = { 'a2a-version': '1.0' };

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: {
    readonly state: string;
    readonly message?: { readonly parts: JsonObject[]; readonly metadata?: JsonObject };
  };
  readonly artifacts?: readonly JsonObject[];
  readonly metadata?: JsonObject;
}
export interface RpcReply {
  readonly status: number;
  readonly headers: Headers;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: readonly JsonObject[] };
}

let messages = 0;
export const message = (text: string, more: object = {}) => ({
  message: { messageId: `m${(messages += 1)}`, role: 'ROLE_USER', parts: text === '' ? [] : [{ text }], ...more },
});
export const data = (value: object) => message('', { parts: [{ data: value }] });
/** A message of A2A 0.3. */
export const legacyMessage = (text: string, more: object = {}) => ({
  message: {
    kind: 'message' as const,
    messageId: `legacy-${(messages += 1)}`,
    role: 'user' as const,
    parts: text === '' ? [] : [{ kind: 'text' as const, text }],
    ...more,
  },
});

export const asReply = ({ status }: Task): Reply => {
  const offer = status.message!.parts.find(part => part['data'] !== undefined)!['data'];
  return { status: 402, headers: new Headers({ 'payment-required': encodeBase64Json(offer) }), body: {} };
};
export async function paymentMessage(offered: Task, from: RawAgent, now: number, changed = {}) {
  const reply = asReply(offered);
  const signed = encodePaymentV2(reply, await signPayload(from.wallet, reply, now, changed));
  const metadata = { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': decodeBase64Json(signed) };
  return message('Here is the payment.', { taskId: offered.id, metadata });
}

export const reason = ({ error }: RpcReply) => error?.data?.[0]?.['reason'];

export function a2aOf(url: () => string) {
  const rpc = (method: string, params: object, headers: HeaderFields = {}): Promise<RpcReply> =>
    legacyRpc(method, params, { ...VERSION, ...headers });

  /** Names no version, which means 0.3. */
  async function legacyRpc(method: string, params: object, headers: HeaderFields): Promise<RpcReply> {
    const body = { jsonrpc: '2.0', id: 7, method, params };
    const reply = await send(url(), '/a2a', { body, headers });
    expect(reply.body).toMatchObject({ jsonrpc: '2.0', id: 7 });
    return { ...(reply.body as object), status: reply.status, headers: reply.headers };
  }

  const rest = (path: string, headers: HeaderFields = {}, sending = {}): Promise<Reply> =>
    send(url(), `/a2a${path}`, { headers: { ...VERSION, ...headers }, ...sending });

  async function member(): Promise<HeaderFields> {
    const { headers } = await quickstart(url(), { kind: 'publisher' });
    return { authorization: headers['authorization']! };
  }

  async function ask(sent: object, as: HeaderFields): Promise<Task> {
    const { result, error } = await rpc('SendMessage', sent, as);
    expect(error).toBeUndefined();
    return result!['task'] as unknown as Task;
  }
  const get = async (id: string, as: HeaderFields) => (await rpc('GetTask', { id }, as)).result as unknown as Task;

  return { rpc, legacyRpc, rest, member, ask, get };
}
