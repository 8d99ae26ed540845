import { createLruCache } from '#libs/kernel/lru-cache.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { AuthenticationGuard } from '#libs/http/authentication/authentication-guard.js';
import type { SiblingRecord, PrincipalKey, SiblingIdentities } from '#libs/http/authentication/siblings.port.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { type Integers, isSiblingId } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { serviceContext } from '#libs/kernel/service-context.js';
import { isPresentMuse, Muse } from '#libs/domain/muse.js';
import { type Decision, formatDecidedBy } from '#libs/endpoints/decision.js';
import type { SiblingIdentity } from './sibling-identity.js';
import { type SiblingNetwork, SiblingUnreachable } from './sibling-network.js';
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
  readonly askedAt: number;
  readonly isThere: boolean;
  readonly identity: SiblingIdentity | null;
}

export interface SiblingDependencies {
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
  private silentUntil = 0;

  constructor(private readonly dependencies: SiblingDependencies) {}

  async find(known: PrincipalKey, guard?: Pick<AuthenticationGuard, 'mayLookUp'>): Promise<SiblingRecord | null> {
    const kept = await this.findCurrent(known, guard);
    if (kept === 'cached') return knownSibling(known);
    if (!kept.isThere) return null;
    return kept.identity === null ? knownSibling(known) : this.toFoundSibling(kept.identity);
  }

  /** Whether an identity was confirmed by its network within ten minutes. */
  sourceOf(museId: string): 'local' | 'sibling' | 'cached' {
    if (!isSiblingId(museId)) return 'local';
    const kept = this.cache.get(museId);
    return kept && this.isFresh(kept) ? 'sibling' : 'cached';
  }

  private async findCurrent(
    known: PrincipalKey,
    guard?: Pick<AuthenticationGuard, 'mayLookUp'>,
  ): Promise<CachedIdentity | 'cached'> {
    const { id, isKnown } = known;
    const kept = this.cache.get(id);
    if (kept && this.isFresh(kept) && (kept.identity !== null || !kept.isThere || isKnown)) return kept;
    const old = kept?.isThere === false ? undefined : isKnown ? ('cached' as const) : kept;
    const { network, clock } = this.dependencies;
    if (network === null) return old ?? { askedAt: clock.now(), isThere: false, identity: null };
    if (old && clock.now() < this.silentUntil) return old;
    try {
      return await this.askOnce(known, isKnown ? undefined : guard);
    } catch (error) {
      if (!(error instanceof SiblingUnreachable)) throw error;
      this.recordSilence(error);
      if (old) return old;
      throw new Refusal('sibling_unreachable', `The network of ${id} does not answer.`, {
        retryAfter: RETRY_SECONDS,
      });
    }
  }

  /** Shares one look-up between concurrent callers. */
  private async askOnce(known: PrincipalKey, guard?: Pick<AuthenticationGuard, 'mayLookUp'>): Promise<CachedIdentity> {
    if (!this.pendingLookUps.has(known.id)) await guard?.mayLookUp();
    const going = this.pendingLookUps.get(known.id) ?? this.ask(known);
    this.pendingLookUps.set(known.id, going);
    return going;
  }

  private async ask({ id, isKnown, publicKey }: PrincipalKey): Promise<CachedIdentity> {
    try {
      const identity = await this.dependencies.network!.lookUp(id);
      this.silentUntil = 0;
      if (identity !== null && isKnown) await this.followChanges(identity, publicKey);
      const kept = {
        askedAt: this.dependencies.clock.now(),
        isThere: identity !== null,
        identity: isKnown ? null : identity,
      };
      this.cache.set(id, kept);
      return kept;
    } finally {
      this.pendingLookUps.delete(id);
    }
  }

  private isFresh({ askedAt, isThere }: CachedIdentity): boolean {
    return this.dependencies.clock.now() < askedAt + (isThere ? FRESH_MS : UNKNOWN_MS);
  }

  private recordSilence(error: Error): void {
    const { clock, report } = this.dependencies;
    if (clock.now() >= this.silentUntil) report(error);
    this.silentUntil = clock.now() + SILENT_MS;
  }

  private toFoundSibling(identity: SiblingIdentity): SiblingRecord {
    return { publicKey: identity.public_key, admit: () => this.admit(identity) };
  }

  private async admit(identity: SiblingIdentity): Promise<void> {
    const { muse_id: museId, name } = identity;
    const email = this.dependencies.emailOf(name, museId);
    await this.writeFacts(importSibling, museId, `sibling/${museId}`, muse => importedFacts(muse, identity, email));
    const kept = this.cache.get(museId);
    if (kept) this.cache.set(museId, { ...kept, identity: null });
  }

  /** `previousKey`: key at the time of the look-up. If it has changed since, another process has a newer answer. */
  private async followChanges(
    { muse_id: museId, public_key, name }: SiblingIdentity,
    before: string | null,
  ): Promise<void> {
    const { state, revision } = await this.dependencies.journal.load(Muse.source(museId));
    if (!isPresentMuse(state) || state.public_key !== before) return;
    if (public_key !== before) {
      const requestKey = `sibling-key/${museId}/${state.keyReplacedAt}/${public_key}`;
      await this.writeFacts(followSiblingKey, museId, requestKey, muse => keyFacts(muse, before, public_key));
    }
    // Without the name, because values derived from the request key are stored unsealed.
    if (name !== state.name)
      await this.writeFacts(followSiblingName, museId, `sibling-name/${museId}/${revision}`, muse =>
        nameFacts(muse, name),
      );
  }

  /** Writes as the service in the muse's stream, because personal values are sealed with the muse's key. */
  private async writeFacts(
    by: Decision,
    museId: string,
    requestKey: string,
    decide: (muse: Muse) => Fact[],
  ): Promise<void> {
    const { journal, clock, integers } = this.dependencies;
    const reason = 'the sibling network says so';
    const own = { at: clock.now(), requestKey, cause: requestKey, decidedBy: formatDecidedBy(by), reason, integers };
    await executeCommand(
      journal,
      { ...serviceContext(own), actor: museId },
      { writes: Muse.source(museId), decide, mustSeal: true },
    );
  }
}

const knownSibling = ({ publicKey }: PrincipalKey): SiblingRecord | null =>
  publicKey === null ? null : { publicKey, admit: () => Promise.resolve() };
