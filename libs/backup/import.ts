import type { PaymentTermsTable } from '#libs/endpoints/payment-terms.js';
import { Findings, findingLine } from '#libs/audit/findings.js';
import { isPrivateEvent, sealPublicEvent } from '#libs/audit/public-event.js';
import { exportSource } from '#libs/audit/sources/export.js';
import type { EventSource, Manifest } from '#libs/audit/sources/source.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import type { ClaimStreams } from '#libs/claims/claim-streams.js';
import { isOpenPayment } from '#libs/domain/payment.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { resetErasureMark } from '#libs/event-log/erasure-mark.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { ensureIssuerKey } from '#libs/issuer/rotation.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { generateKey } from '#libs/platform/signing/ed25519.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { type TrustAnchor, requireTrusted } from './trust-anchor.js';
import { type ProgressListener, ignoreProgress } from './format.js';
import { claimHoldings } from './imported-claims.js';
import { type RevokedTrust, revokeOldTrust } from './imported-trust.js';
import { putEvents } from './put-events.js';
import { SealedValueFilter } from './sealed-value-filter.js';
import { IMPORT_CAUSE } from '#libs/kernel/causes.js';
import { readHoldings } from './holdings.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

export interface ImportDependencies {
  readonly log: EventLog;
  readonly vault: Vault;
  /** How this vault names claims; asked for once the export was verified, because it makes a secret. */
  readonly claimStreams: () => Promise<ClaimStreams>;
  /** The public key that the house has in this vault; asked for as late, because it makes a key. */
  readonly houseKey: () => Promise<string>;
  /** What the export is held against before anything is written. */
  readonly trustAnchor: TrustAnchor;
  /** Unix ms. */
  readonly now: number;
  /** First line of signed messages. */
  readonly tag: string;
  readonly sales: PaymentTermsTable;
  /** Stands on every event that the import adds. */
  readonly reason: string;
  /** The seed of the issuer key that signs from now on; one is made where it is null. */
  readonly issuerSeed: Uint8Array | null;
}

export interface ImportProgress {
  readonly verifying?: ProgressListener;
  readonly writing?: ProgressListener;
  readonly claiming?: ProgressListener;
}

export interface ImportResult {
  /** Whose log it is, and the root of its tree as it was exported. */
  readonly origin: string;
  readonly root: string;
  readonly events: number;
  /** Events that the export shows by their digest alone, which cannot be imported. */
  readonly hidden: number;
  /** Sealed values that the vault has no key for: stored as erased. */
  readonly erased: number;
  /** Keys, wallets and names that were claimed under this vault's HMAC key. */
  readonly claimed: number;
  /** Tokens that were ended, because another vault than this one has seen them issued. */
  readonly tokens_ended: number;
  /** Whether the house was bound to the key that this vault holds. */
  readonly house_bound: boolean;
  /** How many events come after the checkpoint that the export was held against; null without one. */
  readonly after_checkpoint: number | null;
  /** The id of the key that signs from now on, where the vault did not hold the log's own. */
  readonly new_issuer_key: string | null;
  /** Payments that had not ended: what they are held with is sealed, so without its key they cannot go on. */
  readonly open_payments: number;
}

/**
 * Puts an auditor's export into an empty log, as the beginning of a service of its own. The export is verified first.
 * Then come its events; then, where another vault wrote them, an end of what that one's owner can do, and a claim for
 * everything that is held; last the issuer key, without which no service starts, so none starts on half an import. One
 * that was killed is started again. Throws a sentence where the export is not right, is not what it is held against,
 * or the log holds something else.
 */
export async function importExport(
  dependencies: ImportDependencies,
  file: string,
  progress: ImportProgress = {},
): Promise<ImportResult> {
  const { verifying = ignoreProgress, writing = ignoreProgress, claiming = ignoreProgress } = progress;
  const source = await exportSource(file);
  const manifest = source.manifest!;
  const facts = await requireVerified(source, dependencies, file, done => verifying(done, manifest.size));
  const [unsealable, seen] = [new SealedValueFilter(dependencies.vault), { hidden: 0 }];
  // A position of the log that this vault was used with before means another event here.
  await resetErasureMark(dependencies.vault);
  const events = await putEvents(dependencies.log, storedEvents(source, unsealable, seen), {
    progress: done => writing(done, manifest.size),
    isOwn: ({ cause }) => cause === IMPORT_CAUSE,
  });
  const journal = new Journal(dependencies.log, new Codec(new MuseKeys(dependencies.vault), EVENT_TYPES));
  const taken = await takeOver(dependencies, journal, manifest, done => claiming(done, manifest.size));
  const { checkpoint } = dependencies.trustAnchor;
  return {
    origin: manifest.origin,
    root: manifest.root,
    events,
    hidden: seen.hidden,
    erased: unsealable.erasedCount,
    claimed: taken.claimed,
    tokens_ended: taken.tokens,
    house_bound: taken.house_bound,
    after_checkpoint: checkpoint && manifest.size - checkpoint.size,
    new_issuer_key: await ensureImportedIssuerKey(dependencies, journal, manifest),
    open_payments: facts.acceptedPayments().filter(isOpenPayment).length,
  };
}

/** What was held goes on under this vault's keys, and nothing of what only another vault's owner vouches for. */
async function takeOver(
  { now, reason, houseKey, ...dependencies }: ImportDependencies,
  journal: Journal,
  { root }: Manifest,
  claiming: (events: number) => void,
): Promise<RevokedTrust & { readonly claimed: number }> {
  const claimStreams = await dependencies.claimStreams();
  const held = await readHoldings({ journal, claimStreams }, claiming);
  const by = { journal, now, reason };
  const ended = await revokeOldTrust(held, { ...by, claimStreams, houseKey, root });
  return { ...ended, claimed: held.isOwn ? 0 : await claimHoldings(held.holders, by) };
}

function ensureImportedIssuerKey(
  { vault, now, reason, issuerSeed }: ImportDependencies,
  journal: Journal,
  { origin, size, root }: Manifest,
) {
  const told = `${reason} (imported from ${origin}: ${size} events with the root ${root})`;
  const by = { at: now, cause: IMPORT_CAUSE, reason: told };
  return ensureIssuerKey(journal, vault, by, () => issuerSeed ?? generateKey().seed);
}

async function requireVerified(
  source: EventSource,
  { tag, sales, trustAnchor: believed }: ImportDependencies,
  file: string,
  progress: (events: number) => void,
) {
  const checkpoints = believed.checkpoint ? [believed.checkpoint] : [];
  const { findings, facts } = await verifyLog(source, { tag, sales, checkpoints, progress });
  const [first] = findings.list;
  if (first) {
    const said = `${findings.total} findings, the first one: ${findingLine(first)}`;
    throw new Error(
      `${file} does not verify: ${said} Look at it with ${commandFor('auditor', `verify --from ${file}`)}`,
    );
  }
  requireTrusted(believed, facts.issuerKeys(), file);
  return facts;
}

async function* storedEvents(
  source: EventSource,
  unsealable: SealedValueFilter,
  seen: { hidden: number },
): AsyncGenerator<StoredEvent> {
  for await (const shown of source.events(new Findings())) {
    if (isPrivateEvent(shown)) seen.hidden += 1;
    else yield await unsealable.toStorable(sealPublicEvent(shown));
  }
}
