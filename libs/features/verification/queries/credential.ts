import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { Clock, HOUR_MS } from '#libs/kernel/clock.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { foldName } from '#libs/kernel/names.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { type MuseDocument, Muses } from '#libs/views/muses.js';

const VALID_MS = 24 * HOUR_MS;
/** How many muses of one name are told. */
const SAME_NAME_MAX = 20;
export class ShowCredential extends Query<JsonObject> {
  constructor(readonly museIdOrName: string) {
    super();
  }
}

/** What the service vouches for of a muse, signed; by its name the same without a signature. */
@QueryHandler(ShowCredential)
export class ShowCredentialHandler implements IQueryHandler<ShowCredential> {
  constructor(
    private readonly models: ReadModels,
    private readonly issuer: Issuer,
    private readonly clock: Clock,
  ) {}

  async execute({ museIdOrName }: ShowCredential): Promise<JsonObject> {
    if (!MUSE_ID.test(museIdOrName)) return claimsOf(await this.byName(museIdOrName));
    const found = await this.models.of(Muses).get(museIdOrName);
    if (!found) throw notFound();
    const claims = claimsOf(found.body);
    const issued_at = Math.floor(this.clock.now() / HOUR_MS) * HOUR_MS;
    const credential = await this.issuer.sign({ ...claims, issued_at, expires_at: issued_at + VALID_MS });
    return { ...claims, credential };
  }

  private async byName(name: string): Promise<MuseDocument> {
    const range = { index: 'byName', equals: [foldName(name)], order: 'asc', limit: SAME_NAME_MAX } as const;
    const found = await this.models.of(Muses).find(range);
    if (found.length === 0) throw notFound();
    if (found.length === 1) return found[0]!.body;
    throw new Refusal('ambiguous_name', 'Several muses have this name.', {
      more: { muse_ids: found.map(({ id }) => id) },
    });
  }
}

const notFound = () => new Refusal('not_found', 'No muse has this id or name.');

/** The credential's claims, from the same document as the profile, so that the two cannot disagree. */
function claimsOf({ muse_id, name, verification, human_handle, joined, earned, public_key }: MuseDocument) {
  const { wallet = null, network = null, verified_at = null, tx = null } = verification ?? {};
  const receipts = Object.values(earned).reduce((sum, { count }) => sum + count, 0);
  return {
    ...{ muse_id, name, verified: verification !== null, wallet, network, verified_at, tx, human_handle, joined },
    ...{ receipts, endorsements: 0, connections: 0, public_key },
  };
}
