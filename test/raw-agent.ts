import { type KeyObject, randomBytes } from 'node:crypto';
import type { BaseWallet } from 'ethers';
import type { JsonObject } from '#libs/kernel/json.js';
import { importSeed, publicKeyOf, sign } from '#libs/platform/signing/ed25519.js';
import { undescribedIn } from './described-answers.js';
import { undeclaredCode } from './undeclared-codes.js';
import { NEW_KEY_ENDPOINTS, type SignableFields, signedMessage } from '#libs/platform/signing/signed-message.js';
import { createWallet, paymentHeader } from './x402.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export type HeaderFields = { readonly [name: string]: string };

export interface SendOptions {
  readonly method?: string;
  readonly headers?: HeaderFields;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

/** Sends one request without the defaults of a client library. */
export async function send(url: string, path: string, { method, headers, body }: SendOptions = {}): Promise<Reply> {
  const json = body !== undefined && { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...json, ...headers },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const answer = parseJson(await response.text());
  const unnamed = unnamedFields(answer);
  if (unnamed.length > 0) throw new Error(`${path} does not name ${unnamed.join()}: ${JSON.stringify(answer)}`);
  const code = undeclaredCode(path, answer, response.status);
  if (code !== null) throw new Error(`${path} is refused with ${code}, which the errors of its endpoint do not list.`);
  const undescribed = undescribedIn(path, answer);
  if (undescribed !== null) throw new Error(`${path} answers what is not described: ${undescribed}.`);
  return { status: response.status, headers: response.headers, body: answer };
}

/** Returns the invalid fields that the sentence of a refusal does not name. */
function unnamedFields({ ok, field, error, fields = [] }: JsonObject): string[] {
  if (ok !== false || typeof field !== 'string') return [];
  const faults = [{ field, error }, ...(fields as unknown as { field: string; error: string }[])];
  const isNamed = ({ field, error }: { field: string; error: unknown }) =>
    new RegExp(`(?<![\\w-])${field.replace(/\W/g, '\\$&')}(?![\\w-])`, 'i').test(String(error));
  return faults.filter(fault => !isNamed(fault)).map(fault => fault.field);
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

function parseJson(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}

export function textOf({ body }: Reply, member: string): string {
  const value = body[member];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

export function requireOk(reply: Reply): Reply {
  if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
}

export const JOB = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

export const newNonce = () => randomBytes(16).toString('base64url');
export const newIdempotencyKey = () => randomBytes(24).toString('base64url');

export type SignedBody = { readonly [name: string]: string | null };

/** Agent with hand-written bodies. */
export class RawAgent {
  readonly wallet: BaseWallet = createWallet();
  readonly seed: Uint8Array = new Uint8Array(randomBytes(32));
  readonly publicKey: string = publicKeyOf(this.seed);
  museId = '';
  private imported: { readonly seed: Uint8Array; readonly key: KeyObject } | undefined;

  constructor(
    public url: string,
    readonly now: () => number = Date.now,
  ) {}

  /** Signs a body; the endpoint is the last word of its path. */
  signed(
    endpoint: string,
    fields: SignableFields = {},
    stamp: { nonce?: string; timestamp?: string } = {},
  ): SignedBody {
    const { nonce = newNonce(), timestamp = String(this.now()) } = stamp;
    const own = NEW_KEY_ENDPOINTS.has(endpoint);
    const named = own ? { public_key: this.publicKey, ...fields } : fields;
    const museId = own ? (named['public_key'] ?? '') : this.museId;
    const message = signedMessage({ tag: 'service-v1', endpoint, timestamp, nonce, museId, fields: named });
    const stamped = { ...named, ...(!own && { muse_id: museId }), timestamp, nonce };
    return { ...stamped, signature: this.proof(message) };
  }

  proof(text: string): string {
    // A test may give the agent another seed.
    if (this.imported?.seed !== this.seed) this.imported = { seed: this.seed, key: importSeed(this.seed) };
    return sign(this.imported.key, text);
  }

  post(endpoint: string, fields: SignableFields = {}, headers: HeaderFields = {}): Promise<Reply> {
    return this.resend(endpoint, this.signed(endpoint, fields), headers);
  }

  async ok(endpoint: string, fields: SignableFields = {}): Promise<Reply> {
    return requireOk(await this.post(endpoint, fields));
  }

  /** Pays the price from the wallet of the agent. */
  async buy(endpoint: string, fields: SignableFields = {}): Promise<Reply> {
    const offer = await this.post(endpoint, fields);
    return requireOk(await this.post(endpoint, fields, await paymentHeader(this.wallet, offer, this.now())));
  }

  async connect(other: RawAgent): Promise<void> {
    await this.ok('connect', { to: other.museId });
    await other.ok('connect', { to: this.museId });
  }

  /** Signs with the key of the earlier identity. */
  link(earlier: RawAgent): Promise<Reply> {
    const proof = earlier.proof(`service-link-v1\n${this.museId}\n${earlier.museId}`);
    return this.post('link', { to: earlier.museId, proof });
  }

  /** Posts a job, pays for it if it has a budget, and returns its role. */
  async postJob(terms: SignableFields = {}): Promise<string> {
    const job: SignableFields = { ...JOB, ...terms };
    return textOf(await ('budget_usd' in job ? this.buy('job', job) : this.ok('job', job)), 'role');
  }

  /** Hires a worker, who applies first, and returns the hire. */
  async hireFor(role: string, worker: RawAgent): Promise<string> {
    await worker.ok('apply', { role, note: 'Gladly.' });
    return textOf(await this.ok('hire', { role, to: worker.museId }), 'hire');
  }

  /** Posts a job and hires a worker for it. */
  async hire(worker: RawAgent, terms: SignableFields = {}): Promise<{ readonly role: string; readonly hire: string }> {
    const role = await this.postJob(terms);
    return { role, hire: await this.hireFor(role, worker) };
  }

  resend(endpoint: string, body: unknown, headers: HeaderFields = {}): Promise<Reply> {
    return send(this.url, `/api/${endpoint}`, { body, headers });
  }

  async register(name: string, more: SignableFields = {}): Promise<void> {
    const { body } = await this.post('register', { name, headline: `${name} of a test`, ...more });
    if (body['ok'] !== true) throw new Error(`${name} could not register: ${JSON.stringify(body)}`);
    this.museId = body['muse_id'] as string;
  }
}

export async function quickstart(url: string, fields: object): Promise<{ museId: string; headers: HeaderFields }> {
  const { body } = await send(url, '/api/quickstart', { body: fields });
  if (body['ok'] !== true) throw new Error(`No quickstart: ${JSON.stringify(body)}`);
  return { museId: body['muse_id'] as string, headers: { authorization: `Bearer ${body['token'] as string}` } };
}
