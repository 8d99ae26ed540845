import { IssuerKeyAdded, IssuerKeyRetired, IssuerKeys, findCurrentKey } from '#libs/domain/service.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Fact } from '#libs/kernel/event.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { keyId, issuerKeyName } from './issuer.js';

export interface RotationContext {
  readonly at: number;
  readonly cause: string;
  readonly reason: string;
}

export interface RotationResult {
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
  const issuerKeys = await journal.load(IssuerKeys.source());
  const public_key = publicKeyOf(seed);
  const kid = keyId(public_key);
  if (issuerKeys.state.some(key => key.kid === kid))
    throw new Error(`The key ${kid} was an issuer key before; use a new key.`);
  const current = findCurrentKey(issuerKeys.state);
  await vault.putIfAbsent(issuerKeyName(kid), seed);
  const context = {
    actor: 'operator',
    at,
    requestKey: `issuer-key/${kid}`,
    cause,
    basedOn: {},
    authorization: { mode: 'operator', reason } as const,
  };
  const eventsOf = (decidedBy: string, fact: Fact) =>
    newEvents([fact], IssuerKeys.streamName(), { ...context, decidedBy });
  const retiredEvents = current ? eventsOf('retire-issuer-key@1', IssuerKeyRetired({ kid: current.kid })) : [];
  const addedEvents = eventsOf('add-issuer-key@1', IssuerKeyAdded({ kid, public_key }));
  await journal.append(IssuerKeys.streamName(), issuerKeys.revision, [...retiredEvents, ...addedEvents]);
  return { kid, public_key, retired: current?.kid ?? null };
}

export async function hasIssuerKey(journal: Journal, vault: Vault): Promise<boolean> {
  const { state } = await journal.load(IssuerKeys.source());
  const current = findCurrentKey(state);
  const seed = current && (await vault.get(issuerKeyName(current.kid)));
  return seed instanceof Uint8Array;
}

/** Rotates if the vault does not hold the current key. Returns the new key id, or null. */
export async function ensureIssuerKey(
  journal: Journal,
  vault: Vault,
  rotation: RotationContext,
  seed: () => Uint8Array,
): Promise<string | null> {
  if (await hasIssuerKey(journal, vault)) return null;
  return (await rotateIssuerKey(journal, vault, rotation, seed())).kid;
}
