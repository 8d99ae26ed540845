import { createLruCache } from '#libs/kernel/lru-cache.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { AuthenticationGuard } from '#libs/http/authentication/authentication.js';
import type { SiblingRecord, PrincipalKey, SiblingIdentities } from '#libs/http/authentication/siblings.port.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { type Integers, isSiblingId } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { serviceContext } from '#libs/kernel/decide.js';
import { isPresentMuse, Muse } from '#libs/domain/muse.js';
import { type Decision, formatDecidedBy } from '#libs/endpoints/decision.js';
import { type SiblingIdentity, type SiblingNetwork, SiblingUnreachable } from './sibling-identity.js';
import {
  followSiblingKey,
  followSiblingName,
  importedFacts,
  importSibling,
  keyFacts,
  nameFacts,
} from './sibling-facts.js';

const FRESH_MS = 10 * MINUTE_MS;
const UNKNOWN_MS = 15 * MINUTE_MS;
const SILENT_MS = 10 * SECOND_MS;
const RETRY_SECONDS = 5;
const CACHED_MAX = 20_000;

interface CachedIdentity {
  readonly lookedUpAt: number;
  readonly exists: boolean;
  readonly identity: SiblingIdentity | null;
}

interface SiblingDependencies {
  /** Null if not configured. Known identities keep working. */
  readonly network: SiblingNetwork | null;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly integers: Integers;
  readonly emailOf: (name: string, museId: string) => string;
  readonly report: (error: Error) => void;
}

/** Identities of a sibling network. The log decides which key is valid; the network is asked for changes. */
export class Siblings implements SiblingIdentities {
  private readonly cache = createLruCache<string, CachedIdentity>(CACHED_MAX);
  private readonly pendingLookUps = new Map<string, Promise<CachedIdentity>>();
  private silentUntilMs = 0;

  constructor(private readonly dependencies: SiblingDependencies) {}

  async find(key: PrincipalKey, guard?: Pick<AuthenticationGuard, 'mayLookUp'>): Promise<SiblingRecord | null> {
    const cached = await this.findCurrent(key, guard);
    if (cached === 'cached') return recordOf(key);
    if (!cached.exists) return null;
    return cached.identity === null ? recordOf(key) : this.newRecord(cached.identity);
  }

  /** Returns `sibling` if the home network confirmed the identity within ten minutes. */
  sourceOf(museId: string): 'local' | 'sibling' | 'cached' {
    if (!isSiblingId(museId)) return 'local';
    const cached = this.cache.get(museId);
    return cached && this.isFresh(cached) ? 'sibling' : 'cached';
  }

  private async findCurrent(
    key: PrincipalKey,
    guard?: Pick<AuthenticationGuard, 'mayLookUp'>,
  ): Promise<CachedIdentity | 'cached'> {
    const { id, isKnown } = key;
    const cached = this.cache.get(id);
    if (cached && this.isFresh(cached) && (cached.identity !== null || !cached.exists || isKnown)) return cached;
    const fallback = cached?.exists === false ? undefined : isKnown ? ('cached' as const) : cached;
    const { network, clock } = this.dependencies;
    if (network === null) return fallback ?? { lookedUpAt: clock.now(), exists: false, identity: null };
    if (fallback && clock.now() < this.silentUntilMs) return fallback;
    try {
      return await this.lookUpOnce(key, isKnown ? undefined : guard);
    } catch (error) {
      if (!(error instanceof SiblingUnreachable)) throw error;
      this.recordSilence(error);
      if (fallback) return fallback;
      throw new Refusal('sibling_unreachable', `The home network of ${id} does not answer; try again.`, {
        retryAfter: RETRY_SECONDS,
      });
    }
  }

  /** Shares one look-up between concurrent callers. */
  private async lookUpOnce(key: PrincipalKey, guard?: Pick<AuthenticationGuard, 'mayLookUp'>): Promise<CachedIdentity> {
    if (!this.pendingLookUps.has(key.id)) await guard?.mayLookUp();
    const lookUp = this.pendingLookUps.get(key.id) ?? this.lookUp(key);
    this.pendingLookUps.set(key.id, lookUp);
    return lookUp;
  }

  private async lookUp({ id, isKnown, publicKey }: PrincipalKey): Promise<CachedIdentity> {
    try {
      const identity = await this.dependencies.network!.lookUp(id);
      this.silentUntilMs = 0;
      if (identity !== null && isKnown) await this.followChanges(identity, publicKey);
      const cached = {
        lookedUpAt: this.dependencies.clock.now(),
        exists: identity !== null,
        identity: isKnown ? null : identity,
      };
      this.cache.set(id, cached);
      return cached;
    } finally {
      this.pendingLookUps.delete(id);
    }
  }

  private isFresh({ lookedUpAt, exists }: CachedIdentity): boolean {
    return this.dependencies.clock.now() < lookedUpAt + (exists ? FRESH_MS : UNKNOWN_MS);
  }

  private recordSilence(error: Error): void {
    const { clock, report } = this.dependencies;
    if (clock.now() >= this.silentUntilMs) report(error);
    this.silentUntilMs = clock.now() + SILENT_MS;
  }

  private newRecord(identity: SiblingIdentity): SiblingRecord {
    return { publicKey: identity.public_key, admit: () => this.admit(identity) };
  }

  private async admit(identity: SiblingIdentity): Promise<void> {
    const { muse_id: museId, name } = identity;
    const email = this.dependencies.emailOf(name, museId);
    await this.writeFacts(importSibling, museId, `sibling/${museId}`, muse => importedFacts(muse, identity, email));
    const cached = this.cache.get(museId);
    if (cached) this.cache.set(museId, { ...cached, identity: null });
  }

  /** `previousKey`: key at the time of the look-up. If it has changed since, another process has a newer answer. */
  private async followChanges(
    { muse_id: museId, public_key, name }: SiblingIdentity,
    previousKey: string | null,
  ): Promise<void> {
    const { state, revision } = await this.dependencies.journal.load(Muse.source(museId));
    if (!isPresentMuse(state) || state.public_key !== previousKey) return;
    if (public_key !== previousKey) {
      const cause = `sibling-key/${museId}/${state.keyReplacedAt}/${public_key}`;
      await this.writeFacts(followSiblingKey, museId, cause, muse => keyFacts(muse, previousKey, public_key));
    }
    // The cause omits the name, because values derived from it are stored unsealed.
    if (name !== state.name)
      await this.writeFacts(followSiblingName, museId, `sibling-name/${museId}/${revision}`, muse =>
        nameFacts(muse, name),
      );
  }

  /** Writes as the service in the muse's stream, because personal values are sealed with the muse's key. */
  private async writeFacts(
    decision: Decision,
    museId: string,
    cause: string,
    decide: (muse: Muse) => Fact[],
  ): Promise<void> {
    const { journal, clock, integers } = this.dependencies;
    const reason = 'the sibling network says so';
    const context = {
      at: clock.now(),
      cause,
      decidedBy: formatDecidedBy(decision),
      reason,
      integers,
    };
    await executeCommand(
      journal,
      { ...serviceContext(context), actor: museId },
      { writes: Muse.source(museId), decide, mustSeal: true },
    );
  }
}

const recordOf = ({ publicKey }: PrincipalKey): SiblingRecord | null =>
  publicKey === null ? null : { publicKey, admit: () => Promise.resolve() };
