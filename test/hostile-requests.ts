import type { JsonObject } from '#libs/kernel/json.js';
import type { DescribedService, Operation } from './described-service.js';
import { type HeaderFields, type RawAgent, type Reply, send } from './raw-agent.js';

/** Returns reproducible pseudo-random numbers (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface FieldSpec {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** Returns the fields of an operation without those of its signature. */
export function ownFields({ request }: Operation): FieldSpec[] {
  const { schema } = request!;
  const parts = (schema['allOf'] as JsonObject[] | undefined) ?? [schema];
  const own = parts.find(part => part['properties']) as {
    properties: { [name: string]: JsonObject };
    required: string[];
  };
  return Object.entries(own.properties).map(([name, schema]) => {
    return { name, required: (own.required ?? []).includes(name), schema };
  });
}

export const LONG = 'x'.repeat(4_000);
export const UNREADABLE = ['a\u0000b', 'a\u0007b', '\u001b[2J', '\u0085'];
export const LONE_SURROGATES = ['\ud800', 'a\udfffb'];
export const NON_TEXTS: readonly unknown[] = [5, true, [], ['a'], {}, { a: 'b' }];
export const NON_SCALARS: readonly unknown[] = [[], ['a'], {}, { toString: 'x' }];

const isBounded = ({ schema }: FieldSpec) => ['maxLength', 'pattern', 'enum'].some(keyword => keyword in schema);

const isList = ({ schema }: FieldSpec) => 'anyOf' in schema;

export interface Attack {
  readonly field: string;
  readonly body: { readonly [name: string]: unknown };
}

/** Creates signed bodies with one invalid field; values that are not text are inserted after signing. */
export function* signedAttacks(operation: Operation, agent: RawAgent): Generator<Attack> {
  const endpoint = operation.path.split('/').at(-1)!;
  // In a signed body `muse_id` is always the signer.
  const own = ownFields(operation).filter(({ name }) => name !== 'muse_id');
  const example = {
    ...operation.request!.example,
    ...('public_key' in (operation.request!.example ?? {}) && { public_key: agent.publicKey }),
  } as { [name: string]: string };
  const right = agent.signed(endpoint, example);
  for (const field of own) {
    const { name } = field;
    const { [name]: _left, ...without } = example;
    const sign = (value: string) => ({ field: name, body: agent.signed(endpoint, { ...without, [name]: value }) });
    if (field.required) yield sign('');
    if (isBounded(field)) yield sign(LONG);
    yield sign(UNREADABLE[0]!);
    for (const value of [...NON_TEXTS, ...LONE_SURROGATES]) yield { field: name, body: { ...right, [name]: value } };
  }
}

/** Creates the same invalid bodies for callers with a token or without credentials. */
export function* openAttacks(operation: Operation): Generator<Attack> {
  const example = operation.request!.example ?? {};
  for (const field of ownFields(operation)) {
    const { name } = field;
    const attack = (value: unknown) => ({ field: name, body: { ...example, [name]: value } });
    const { [name]: _left, ...without } = example;
    if (field.required) yield { field: name, body: without };
    if (isBounded(field)) yield attack(LONG);
    // A list may be sent as an array of strings.
    const wrong = NON_SCALARS.filter(value => !(isList(field) && Array.isArray(value)));
    yield* [...UNREADABLE, ...LONE_SURROGATES, ...wrong].map(attack);
  }
}

export class Attacker {
  sent = 0;

  constructor(private readonly api: DescribedService) {}

  async post(operation: Operation, body: unknown, headers: HeaderFields = {}): Promise<Reply> {
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    return this.requireDescribed(operation, await this.sendCounted(operation.path, text, headers));
  }

  async get(operation: Operation, target: string, headers: HeaderFields = {}): Promise<Reply> {
    this.sent += 1;
    return this.requireDescribed(operation, await send(this.api.url, target, { headers }));
  }

  private async sendCounted(path: string, body: string | Uint8Array, headers: HeaderFields): Promise<Reply> {
    this.sent += 1;
    return send(this.api.url, path, { method: 'POST', body, headers });
  }

  private requireDescribed(operation: Operation, reply: Reply): Reply {
    const faults = reply.status === 413 ? null : this.api.faults(operation, reply);
    if (faults !== null) throw new Error(`${operation.id}: ${faults}: ${JSON.stringify(reply.body)}`);
    return reply;
  }
}

const AT_ONCE = 16;

export async function forEachParallel<T>(all: Iterable<T>, act: (one: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export function* pairs<A, B>(some: Iterable<A>, others: Iterable<B>): Generator<readonly [A, B]> {
  const every = [...others];
  for (const one of some) for (const other of every) yield [one, other];
}

export function anyJson(random: () => number, depth = 3): unknown {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
  const scalars = [
    null,
    true,
    0,
    -1,
    1e308,
    0.1,
    '',
    'a',
    '\u0000',
    '\ud800',
    '__proto__',
    'agent_1a2b3c4d5e',
    '9'.repeat(40),
  ];
  if (depth === 0 || random() < 0.5) return pick(scalars);
  const size = Math.floor(random() * 4);
  const values = Array.from({ length: size }, () => anyJson(random, depth - 1));
  if (random() < 0.4) return values;
  const names = [
    'muse_id',
    'signature',
    'timestamp',
    'nonce',
    '__proto__',
    'constructor',
    'role',
    'hire',
    'to',
    'x402_payment',
  ];
  return Object.fromEntries(values.map(value => [pick(names), value]));
}
