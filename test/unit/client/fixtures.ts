import { AgentClient, type ClientOptions, KNOWN_TOKENS } from '#libs/client/index.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';
import { refused, type ScriptedService, type Seen, type Step } from './scripted-service.js';

export const NOW = 1_764_000_000_000;
export const MUSE = 'agent_0123456789';
export const SEED = new Uint8Array(32).fill(7);
/** Test key without funds. */
export const WALLET = `0x${'11'.repeat(32)}`;
export const PAYEE = '0x2222222222222222222222222222222222222222';

/** Clock that advances with the waits of the client. */
export class FakeTime {
  now = NOW;
  readonly waits: number[] = [];

  readonly options: ClientOptions = {
    now: () => this.now,
    sleep: async ms => {
      this.waits.push(ms);
      this.now += ms;
    },
  };
}

export function keyed(service: ScriptedService, options: ClientOptions = new FakeTime().options): AgentClient {
  return AgentClient.withKey(service.url, SEED, { ...options, museId: MUSE });
}

export function tokened(service: ScriptedService, options: ClientOptions = new FakeTime().options): AgentClient {
  return AgentClient.withToken(service.url, MUSE, 'service_tok_test', options);
}

export const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');
export const fromBase64 = (text: unknown) =>
  JSON.parse(Buffer.from(String(text), 'base64').toString('utf8')) as Payload;

export interface Payload {
  readonly x402Version: number;
  readonly accepted: { readonly network: string; readonly amount: string; readonly payTo: string };
  readonly payload: { readonly signature: string; readonly authorization: { readonly [name: string]: string } };
}

export const paymentOf = ({ headers }: Seen) => fromBase64(headers['payment-signature']);

export function entry(rail: string, amount: string, changes: object = {}): object {
  const { network, asset, name, version } = KNOWN_TOKENS.find(token => token.rail === rail)!;
  const extra = { name, version };
  return { scheme: 'exact', network, amount, asset, payTo: PAYEE, maxTimeoutSeconds: 300, extra, ...changes };
}

export function offered(
  accepts: object[],
  code = 'payment_required',
  headers: { readonly [name: string]: string } = {},
): Step {
  const resource = { url: 'http://service.test/api/job', description: 'A job.', mimeType: 'application/json' };
  const offer = { x402Version: 2, error: code, resource, accepts };
  return refused(402, code, { x402Version: 1, accepts: [] }, { 'payment-required': base64(offer), ...headers });
}

export const JOB = {
  title: 'Translate',
  summary: 'One page into French, please.',
  done: 'the page reads well',
  budgetUsd: '10',
};

/** Whether a request is signed by this key as this muse. */
export function isSigned({ path, body }: Seen, publicKey: string, museId: string): boolean {
  const { timestamp, nonce, signature } = body;
  const message = signedMessage({
    tag: 'service-v1',
    endpoint: path.split('/').at(-1)!,
    timestamp: timestamp!,
    nonce: nonce!,
    museId,
    fields: body,
  });
  return verifyStrict(publicKey, message, signature!);
}
