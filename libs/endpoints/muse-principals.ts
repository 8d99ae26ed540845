import { NO_ACCESS } from '#libs/domain/muse-access.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { assertRecoverable, listRecoveryKeys, recoveryOf } from '#libs/domain/recovery.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Journal } from '#libs/event-log/journal.js';
import { type Principal, Principals } from '#libs/http/authentication/principals.port.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Tokens } from '#libs/views/tokens.js';

export interface MusePrincipal extends Principal {
  readonly muse: Muse;
}

export class MusePrincipals extends Principals {
  constructor(
    private readonly journal: Journal,
    private readonly models: ReadModels,
  ) {
    super();
  }

  async get(museId: string): Promise<MusePrincipal> {
    const asOf = await this.journal.log.moment();
    const { state: muse, stream, revision } = await this.journal.load(Muse.source(museId), asOf);
    if (muse.status === 'forgotten') throw new Refusal('forgotten', 'The identity was erased by its owner.');
    const { public_key: publicKey, tokens, rotations } = isKnownMuse(muse) ? muse : NO_ACCESS;
    const basedOn = revision === 'none' ? {} : { [stream]: revision };
    const recoveryKeysAt = (at: number) => listUsableKeys(museId, muse, at);
    return {
      id: museId,
      isKnown: isKnownMuse(muse),
      publicKey,
      tokens,
      rotations,
      recoveryKeysAt,
      muse,
      basedOn,
      asOf,
    };
  }

  async ownerOf(tokenHash: string): Promise<string | undefined> {
    return (await this.models.of(Tokens).get(tokenHash))?.body.muse_id;
  }

  async currentOwnerOf(tokenHash: string): Promise<string | undefined> {
    await this.models.waitUntilCurrent(Tokens);
    return this.ownerOf(tokenHash);
  }
}

function listUsableKeys(museId: string, muse: Muse, at: number): string[] {
  assertRecoverable(museId);
  if (!isKnownMuse(muse)) throw new Refusal('unknown_muse', 'No identity has this `muse_id`.');
  const keys = listRecoveryKeys(recoveryOf(muse), at).map(each => each.public_key);
  if (keys.length === 0) throw new Refusal('no_recovery_key', 'This identity has no recovery key.');
  return keys;
}
