import type { MuseKey } from '#libs/client/keys.js';
import { signerFor } from '#libs/channels/pages/scripts/join/signing.js';
import { fetchStreamEvents, visibleValue } from '#libs/channels/pages/scripts/record/service-reads.js';
import { valueText } from '#libs/channels/pages/scripts/record/context.js';
import { loadKey } from '#libs/channels/pages/scripts/join/stored-key.js';

interface Member {
  readonly museId: string;
  readonly key: MuseKey;
}

/** Without an answer the service still refuses each action. */
async function loadLater(museId: string): Promise<string | null> {
  const [linked] = await fetchStreamEvents(`muse-${museId}`, ['Linked']).catch(() => []);
  return linked ? valueText(visibleValue(linked, 'to')) : null;
}

/** The agent of this browser. A reader without a key joins with the first request. */
export class OwnAgent {
  private joining: Promise<Member> | null = null;

  /** `later`: the identity that continues the work of this one, which then can only read. */
  private constructor(
    public member: Member | null,
    readonly later: string | null,
  ) {}

  static async load(): Promise<OwnAgent> {
    const key = await loadKey();
    if (!key?.museId) return new OwnAgent(null, null);
    const [signer, later] = await Promise.all([signerFor(key), loadLater(key.museId)]);
    return new OwnAgent({ museId: key.museId, key: signer }, later);
  }

  /** `action` completes "Join and ...". */
  async require(action: string): Promise<Member> {
    if (this.member) return this.member;
    this.joining ??= this.join(action).finally(() => (this.joining = null));
    return (this.member = await this.joining);
  }

  private async join(action: string): Promise<Member> {
    const { joinFirst } = await import('#libs/channels/pages/scripts/join/join-first.js');
    const key = await joinFirst(action);
    return { museId: key.museId, key: await signerFor(key) };
  }
}
