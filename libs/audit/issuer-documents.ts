import { findCurrentKey, type IssuerKey, Service } from '#libs/domain/service.js';
import type { Position } from '#libs/kernel/event.js';
import { findDifferences } from '#libs/kernel/differences.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { Findings } from './findings.js';
import { isPrivateEvent, isPublicEvent, openPublicEvent } from './public-event.js';
import { feedSource } from './sources/feed.js';
import { fetchWithRetries, readJsonBody } from './sources/service-fetch.js';

/** Keys may be replaced while the documents are read, but not at each attempt. */
const ATTEMPTS_MAX = 3;

type KeyDocument = (keys: readonly IssuerKey[]) => JsonObject;

/** Keys as each document names them; in `did.json` an id ends with that of its key. */
const DOCUMENTS: {
  readonly [path: string]: readonly [expected: KeyDocument, read: (document: JsonObject) => JsonObject];
} = {
  '/.well-known/service-issuer.json': [
    keys => {
      const { kid, public_key } = findCurrentKey(keys)!;
      return { kid, public_key, keys: keys.map(key => ({ ...key })) };
    },
    ({ kid, public_key, keys }) => ({ kid: kid!, public_key: public_key!, keys: keys! }),
  ],
  '/.well-known/did.json': [
    keys => ({ keys: keys.map(keyOf), current: [findCurrentKey(keys)!.kid] }),
    ({ verificationMethod, assertionMethod }) => ({
      keys: listOf(verificationMethod).map(method => pickKey((method as JsonObject)['publicKeyJwk'])),
      current: listOf(assertionMethod).map(id => (typeof id === 'string' ? id.replace(/^.*#/, '') : null)),
    }),
  ],
  '/.well-known/jwks.json': [keys => ({ keys: keys.map(keyOf) }), ({ keys }) => ({ keys: listOf(keys).map(pickKey) })],
};

const keyOf = ({ kid, public_key: x }: IssuerKey) => ({ kty: 'OKP', crv: 'Ed25519', kid, x });
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const pickKey = (jwk: Json | undefined): JsonObject => {
  const { kty = null, crv = null, kid = null, x = null } = Object(jwk) as JsonObject;
  return { kty, crv, kid, x };
};

/** Compares the documents that name the keys of the service with its log, also with what was written since. */
export async function checkIssuerDocuments(
  address: string,
  log: { readonly service: Service; readonly head: Position | null },
  findings: Findings,
): Promise<void> {
  if (!findCurrentKey(log.service.keys)) return;
  let { service, head } = log;
  for (const [path, [expected, read]] of Object.entries(DOCUMENTS)) {
    for (let attempt = 1; ; attempt += 1) {
      const document = await readDocument(address, path);
      const problem = typeof document === 'string' ? document : describe(read(document), expected(service.keys));
      if (problem === null) break;
      if (typeof document === 'string' || attempt === ATTEMPTS_MAX) {
        findings.add('issuer', `${path} ${problem}.`);
        break;
      }
      [service, head] = await readLater(address, service, head);
    }
  }
}

function describe(document: JsonObject, expected: JsonObject): string | null {
  const [difference] = findDifferences(document, expected);
  return difference ? `differs from the keys that the log names: ${difference.field}` : null;
}

/** Returns the problem if there is no document: it does not end the audit. */
async function readDocument(address: string, path: string): Promise<JsonObject | string> {
  try {
    const response = await fetchWithRetries(address + path);
    if (!response.ok) return `returned status ${response.status}`;
    return Object(await readJsonBody(response)) as JsonObject;
  } catch (error) {
    return `cannot be read: ${(error as Error).message.replace(/\.$/, '')}`;
  }
}

async function readLater(
  address: string,
  service: Service,
  after: Position | null,
): Promise<[service: Service, head: Position | null]> {
  let [state, head] = [service, after];
  for await (const shown of feedSource(address, undefined, after ?? undefined).events(new Findings())) {
    if (isPublicEvent(shown) && !isPrivateEvent(shown) && shown.stream === Service.streamName())
      state = Service.evolve(state, openPublicEvent(shown));
    head = shown.position;
  }
  return [state, head];
}
