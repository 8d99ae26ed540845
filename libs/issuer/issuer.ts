import { createHash, type KeyObject } from 'node:crypto';
import {
  findCurrentKey,
  type IssuerKey,
  IssuerKeyAdded,
  IssuerKeyRetired,
  LOG_FORMAT,
  Service,
} from '#libs/domain/service.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import type { Clock } from '#libs/kernel/clock.js';
import { systemContext } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { generateKey, importSeed, publicKeyOf, sign } from '#libs/platform/signing/ed25519.js';
import type { Vault } from '#libs/platform/vault/port.js';

export type SignedDocument = {
  readonly payload: string;
  readonly signature: string;
  readonly key: string;
  readonly kid: string;
};

export const issuerKeyName = (kid: string) => `issuer/${kid}`;

/** JWK thumbprint of an ed25519 key (RFC 7638, RFC 8037), base64url. */
export function keyId(publicKey: string): string {
  return createHash('sha256')
    .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x: publicKey }))
    .digest('base64url');
}

interface IssuerDependencies {
  readonly journal: Journal;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly address: { readonly baseUrl: string };
}

const loadKeys = async (journal: Journal): Promise<readonly IssuerKey[]> =>
  (await journal.load(Service.source())).state.keys;

async function loadSeed(vault: Vault, kid: string): Promise<Uint8Array> {
  const seed = await vault.get(issuerKeyName(kid));
  if (seed instanceof Uint8Array) return seed;
  throw new Error(
    `The vault does not hold the log's current issuer key ${kid}: restore the vault that belongs to this log.`,
  );
}

/** Returns the log's current key. Throws if the vault does not hold it. */
export async function requireIssuerKey({
  journal,
  vault,
}: Pick<IssuerDependencies, 'journal' | 'vault'>): Promise<IssuerKey | undefined> {
  const current = findCurrentKey(await loadKeys(journal));
  if (current) await loadSeed(vault, current.kid);
  return current;
}

/** Signs documents of the service. The vault holds the key, the log its history. */
export class Issuer {
  private readonly privateKeys = new Map<string, KeyObject>();

  private constructor(private readonly dependencies: IssuerDependencies) {}

  /** `importedSeed`: seed of the first key. Throws if the vault does not hold the current key. */
  static async open(dependencies: IssuerDependencies, importedSeed: Uint8Array | null): Promise<Issuer> {
    const issuer = new Issuer(dependencies);
    const current = await requireIssuerKey(dependencies);
    if (!current) await issuer.createFirstKey(importedSeed ?? generateKey().seed);
    return issuer;
  }

  get name(): string {
    return this.dependencies.address.baseUrl;
  }

  /** In a did:web identifier, `%3A` precedes a port. */
  get did(): string {
    return `did:web:${encodeURIComponent(new URL(this.name).host)}`;
  }

  async keys(): Promise<readonly IssuerKey[]> {
    return loadKeys(this.dependencies.journal);
  }

  async sign(payload: JsonObject): Promise<SignedDocument> {
    const text = canonicalJson({ ...payload, issuer: this.name });
    const { kid, signature } = await this.signText(text);
    return { payload: text, signature, key: `${this.name}/.well-known/service-issuer.json`, kid };
  }

  /** Key and signature are base64url. */
  async signText(
    text: string,
  ): Promise<{ readonly kid: string; readonly publicKey: string; readonly signature: string }> {
    const { kid, public_key: publicKey } = findCurrentKey(await this.keys())!;
    return { kid, publicKey, signature: sign(await this.loadPrivateKey(kid), text) };
  }

  /**
   * Returns a compact JWS (RFC 7515, EdDSA of RFC 8037) over canonical JSON, whose `kid` is a key of `did.json`. For a
   * document of an earlier time, signs with the key of that time, so that the document stays the same after a rotation.
   */
  async signJws(payload: JsonObject, at = Infinity): Promise<string> {
    const { kid, privateKey } = await this.signingKeyOf(await this.keys(), at);
    const text = [{ alg: 'EdDSA', kid: `${this.did}#${kid}` }, payload]
      .map(part => Buffer.from(canonicalJson(part), 'utf8').toString('base64url'))
      .join('.');
    return `${text}.${sign(privateKey, text)}`;
  }

  /** Falls back to the current key if the vault no longer holds the former one. */
  private async signingKeyOf(
    keys: readonly IssuerKey[],
    at: number,
  ): Promise<{ readonly kid: string; readonly privateKey: KeyObject }> {
    const former = keys.find(({ until }) => until !== null && at <= until);
    if (former && (await this.dependencies.vault.get(issuerKeyName(former.kid))) instanceof Uint8Array)
      return { kid: former.kid, privateKey: await this.loadPrivateKey(former.kid) };
    const { kid } = findCurrentKey(keys)!;
    return { kid, privateKey: await this.loadPrivateKey(kid) };
  }

  /** Stores the key in the vault before the event. Of two concurrent starts, one key wins. */
  private async createFirstKey(seed: Uint8Array): Promise<void> {
    const public_key = publicKeyOf(seed);
    const kid = keyId(public_key);
    await this.dependencies.vault.putIfAbsent(issuerKeyName(kid), seed);
    const action = {
      at: this.dependencies.clock.now(),
      cause: `issuer-key/${kid}`,
      decidedBy: 'add-issuer-key@1',
    };
    const context = systemContext('service', 'the first key of a new service', action);
    try {
      await this.dependencies.journal.append(
        Service.streamName(),
        'none',
        newEvents([IssuerKeyAdded({ kid, public_key, format: LOG_FORMAT })], Service.streamName(), context),
      );
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }

  private async loadPrivateKey(kid: string): Promise<KeyObject> {
    const cachedKey = this.privateKeys.get(kid);
    if (cachedKey) return cachedKey;
    const key = importSeed(await loadSeed(this.dependencies.vault, kid));
    this.privateKeys.set(kid, key);
    return key;
  }
}

interface RotationContext {
  readonly at: number;
  readonly cause: string;
  readonly reason: string;
}

interface RotationResult {
  readonly kid: string;
  readonly public_key: string;
  readonly retired: string | null;
}

/**
 * Replaces the signing key, vault first. Old signatures stay valid. Throws for a former key, and `RevisionConflict` for
 * a concurrent rotation.
 */
export async function rotateIssuerKey(
  journal: Journal,
  vault: Vault,
  { at, cause, reason }: RotationContext,
  seed: Uint8Array,
): Promise<RotationResult> {
  const service = await journal.load(Service.source());
  const public_key = publicKeyOf(seed);
  const kid = keyId(public_key);
  if (service.state.keys.some(key => key.kid === kid))
    throw new Error(`The key ${kid} was an issuer key before; use a new key.`);
  const current = findCurrentKey(service.state.keys);
  await vault.putIfAbsent(issuerKeyName(kid), seed);
  const eventsOf = (decidedBy: string, fact: Fact) => {
    return newEvents([fact], Service.streamName(), systemContext('operator', reason, { at, cause, decidedBy }));
  };
  const retiredEvents = current ? eventsOf('retire-issuer-key@1', IssuerKeyRetired({ kid: current.kid })) : [];
  const addedEvents = eventsOf('add-issuer-key@1', IssuerKeyAdded({ kid, public_key }));
  await journal.append(Service.streamName(), service.revision, [...retiredEvents, ...addedEvents]);
  return { kid, public_key, retired: current?.kid ?? null };
}

/** Rotates if the vault does not hold the current key. Returns the new key id, or null. */
export async function ensureIssuerKey(
  journal: Journal,
  vault: Vault,
  rotation: RotationContext,
  seed: () => Uint8Array,
): Promise<string | null> {
  const current = findCurrentKey(await loadKeys(journal));
  if (current && (await vault.get(issuerKeyName(current.kid))) instanceof Uint8Array) return null;
  return (await rotateIssuerKey(journal, vault, rotation, seed())).kid;
}
