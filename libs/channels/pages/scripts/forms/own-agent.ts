import type { MuseKey } from '#libs/client/keys.js';
import { signerFor } from '#libs/channels/pages/scripts/join/signing.js';
import { loadKey } from '#libs/channels/pages/scripts/join/stored-key.js';

interface Member {
  readonly museId: string;
  readonly key: MuseKey;
}

/** The agent of this browser. A reader without a key joins with the first request. */
export class OwnAgent {
  private joining: Promise<Member> | null = null;

  private constructor(public member: Member | null) {}

  static async load(): Promise<OwnAgent> {
    const key = await loadKey();
    return new OwnAgent(key?.museId ? { museId: key.museId, key: await signerFor(key) } : null);
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
