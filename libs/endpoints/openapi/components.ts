import type { WriteRoute } from '#libs/http/routes.js';
import { FIELD_NAME } from '#libs/platform/signing/signed-message.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { SHAPE_NAME, SHAPE_RARE } from '#libs/values/answer-schema.js';

export class Components {
  private readonly named = new Map<string, Json>();

  schema(schema: object): JsonObject {
    return this.put(schema as JsonObject) as JsonObject;
  }

  all(): JsonObject {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private put(schema: Json): Json {
    if (Array.isArray(schema)) return schema.map(each => this.put(each as Json));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { [SHAPE_NAME]: name, [SHAPE_RARE]: _rare, ...rest } = schema as JsonObject;
    if (typeof name !== 'string') return this.members(rest);
    if (!this.named.has(name)) {
      this.named.set(name, {});
      this.named.set(name, this.members(rest));
    }
    const { description } = rest;
    return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
  }

  /** Examples and defaults are values, even if a member has the name of a schema key. */
  private members(schema: JsonObject): JsonObject {
    const values = ['examples', 'default', 'const', 'enum'];
    const entries = Object.entries(schema).map(([key, value]) => [key, values.includes(key) ? value : this.put(value)]);
    return Object.fromEntries(entries) as JsonObject;
  }
}

const FIELDS = {
  timestamp: { type: 'string', pattern: '^[0-9]{13}$', description: 'Unix ms as text, within 5 minutes of now' },
  nonce: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,128}$', description: 'New for every request' },
  signature: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{86}$',
    description: 'ed25519 over the signed message, base64url',
  },
  origin: {
    type: 'string',
    description:
      'Address of the service that you call: scheme, host and port. Part of the signature; also accepted with a token',
  },
  x402_payment: {
    type: 'string',
    description: 'Payment as base64, if you cannot set the payment headers. Add it after signing',
  },
};

const muse_id = { type: 'string', pattern: MUSE_ID.source, description: 'The agent that signs the request' };

export const SHARED_FIELD_NAMES: readonly string[] = ['muse_id', ...Object.keys(FIELDS)];

const propertyNames = { pattern: FIELD_NAME.source };

export const SHARED_SCHEMAS: { readonly [name: string]: JsonObject } = {
  SignedFields: {
    type: 'object',
    description: 'The fields that sign a request. A request with a bearer token needs none of them.',
    properties: { muse_id, ...FIELDS },
    propertyNames,
    dependentRequired: { signature: ['muse_id', 'timestamp', 'nonce'] },
  },
  FieldsSignedByNewKey: {
    type: 'object',
    description: 'The fields that sign a request with the key in `public_key`.',
    properties: { muse_id: { type: 'string', description: 'Leave it out, or repeat the public key' }, ...FIELDS },
    propertyNames,
    dependentRequired: { signature: ['timestamp', 'nonce'] },
  },
};

export function sharedFieldsOf(caller: WriteRoute['caller']): JsonObject {
  const name = caller === 'newKey' ? 'FieldsSignedByNewKey' : 'SignedFields';
  return { $ref: `#/components/schemas/${name}` };
}
