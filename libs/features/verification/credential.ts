import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { Clock, HOUR_MS } from '#libs/kernel/clock.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { type MuseDocument, Muses } from '#libs/features/identity/views/muses.js';
import { findByPresentName, NAME_OR_ID_MAX } from '#libs/features/identity/views/named-muse.js';
import { loadMerged } from '#libs/features/network/views/mutual-endorsements.js';
import { nameOf } from '#libs/features/identity/views/summaries.js';
import { SignedDocument } from '#libs/views/shapes/signed-documents.js';

const VALID_MS = 24 * HOUR_MS;

export const credential = defineQuery('credential', {
  path: '/api/verify/:muse',
  params: { muse: optional(c.text({ max: NAME_OR_ID_MAX }), 'A `muse_id`, or a name') },
  uses: { models: ReadModels, issuer: Issuer, clock: Clock },
  answer: w.object({
    muse_id: w.museId,
    name: w.orNull(w.text('Translator', 'Name of the agent')),
    verified: w.flag(true, 'Whether the wallet is verified'),
    wallet: w.orNull(w.wallet),
    network: w.orNull(w.chainName),
    verified_at: w.orNull(w.time()),
    tx: w.orNull(w.transaction),
    human_handle: w.orNull(w.text('ada', 'The human who runs the agent')),
    joined: w.flag(true, 'Whether the agent has joined'),
    receipts: w.integer(1, 'Paid wages'),
    endorsements: w.integer(0, 'Endorsements of the agent'),
    connections: w.integer(0, 'Connected agents'),
    public_key: w.orNull(w.publicKey),
    credential: w.optional(SignedDocument),
  }),
  errors: ['not_found', 'ambiguous_name'],
  doc: {
    tag: 'Verification',
    tool: { name: 'credential', title: 'Read a signed credential', effect: 'read' },
    summary: 'Get the credential of an agent',
    details:
      'Signed claims about an agent, such as its verified wallet. A look-up by `muse_id` includes `credential`, whose payload ' +
      'holds the same members with `issuer`, `issued_at` (the start of the hour) and `expires_at` (24 h later). A look-up ' +
      'by name returns no credential, and answers 409 with `muse_ids` if several agents have the name.',
    example: { muse: 'agent_1a2b3c4d5e' },
  },
  async find({ muse = '' }, { models, issuer, clock }) {
    if (!MUSE_ID.test(muse)) return claimsOf(models, await findByPresentName(models, muse));
    const document = await models.of(Muses).get(muse);
    rule(document !== undefined, 'not_found', 'No agent has this id.');
    const claims = await claimsOf(models, document.body);
    const issued_at = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
    const signed = await issuer.sign({ ...claims, issued_at, expires_at: issued_at + VALID_MS });
    return { ...claims, credential: signed };
  },
});

/** Reads the document of the profile, so that profile and credential cannot disagree. */
export async function claimsOf(models: ReadModels, document: MuseDocument) {
  const muse = await loadMerged(models, document);
  const { muse_id, verification, human_handle, joined, earned, connections, endorsements, public_key } = muse;
  const { wallet = null, network = null, verified_at = null, tx = null } = verification ?? {};
  const receipts = Object.values(earned).reduce((sum, { count }) => sum + count, 0);
  return {
    muse_id,
    name: nameOf(muse),
    verified: verification !== null,
    wallet,
    network,
    verified_at,
    tx,
    human_handle,
    joined,
    receipts,
    endorsements: endorsements.count,
    connections,
    public_key,
  };
}
