import type { SignedCheckpoint } from '#libs/audit/checkpoint.js';
import { Findings, findingLine } from '#libs/audit/findings.js';
import { requireLogFormat } from '#libs/audit/log-format.js';
import { isPrivateEvent, sealPublicEvent } from '#libs/audit/public-event.js';
import { exportSource } from '#libs/audit/sources/export.js';
import type { EventSource, Manifest } from '#libs/audit/sources/source.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import type { ClaimStreams } from '#libs/claims/claim-streams.js';
import { isOpenPayment } from '#libs/domain/payment.js';
import { ClockMoved, type IssuerKey } from '#libs/domain/service.js';
import type { PaymentTermsTable } from '#libs/endpoints/paid-action.js';
import { Codec } from '#libs/event-log/codec.js';
import { resetErasureMark } from '#libs/event-log/erasure-mark.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Journal } from '#libs/event-log/journal.js';
import { beginOrigin, finishOrigin } from '#libs/event-log/log-origin.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { ensureIssuerKey } from '#libs/issuer/issuer.js';
import type { Clock } from '#libs/kernel/clock.js';
import { type StoredEvent, formatImportCause } from '#libs/kernel/event.js';
import { generateKey, verifyStrict } from '#libs/platform/signing/ed25519.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { openJournal } from '#libs/setup/journal.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { type ProgressListener, ignoreProgress } from './format.js';
import { claimHoldings, readHoldings } from './holdings.js';
import { type RevokedTrust, revokeOldTrust } from './imported-trust.js';
import { putEvents } from './put-events.js';
import { SealedValueFilter } from './sealed-value-filter.js';

export interface ImportDependencies {
  readonly log: EventLog;
  readonly vault: Vault;
  /** Creates a secret, so call it after the export is verified. */
  readonly claimStreams: () => Promise<ClaimStreams>;
  /** Creates a key, so call it after the export is verified. */
  readonly houseKey: () => Promise<string>;
  readonly trustAnchor: TrustAnchor;
  readonly clock: Clock;
  /** First line of signed messages. */
  readonly tag: string;
  readonly sales: PaymentTermsTable;
  /** Reason in the authorization of each added event. */
  readonly reason: string;
  /** Seed of the new issuer key, or null to generate one. */
  readonly issuerSeed: Uint8Array | null;
}

interface ImportProgress {
  readonly verifying?: ProgressListener;
  readonly writing?: ProgressListener;
  readonly claiming?: ProgressListener;
}

export interface ImportResult {
  readonly origin: string;
  readonly root: string;
  readonly events: number;
  /** Events shown only by their digest, which cannot be imported. */
  readonly hidden: number;
  /** Sealed values without a key in the vault, stored as erased. */
  readonly erased: number;
  /** Keys, wallets and names claimed with this vault's HMAC key. */
  readonly claimed: number;
  readonly tokens_ended: number;
  readonly house_bound: boolean;
  /** Events after the given checkpoint, or null without a checkpoint. */
  readonly after_checkpoint: number | null;
  /** Id of the new key, if the vault did not have the issuer key of the log. */
  readonly new_issuer_key: string | null;
  /** Open payments; they cannot continue if the vault lacks their sealed authorization. */
  readonly open_payments: number;
}

/**
 * Verifies an export and writes it into an empty log. Writes the issuer key last, so that no service starts on an
 * interrupted import, which can be repeated. Throws if the export is not trusted or the log has other events.
 */
export async function importExport(
  dependencies: ImportDependencies,
  file: string,
  progress: ImportProgress = {},
): Promise<ImportResult> {
  const { verifying = ignoreProgress, writing = ignoreProgress, claiming = ignoreProgress } = progress;
  const source = requireLogFormat(await exportSource(file));
  const manifest = source.manifest!;
  const facts = await requireVerified(source, dependencies, file, done => verifying(done, manifest.size));
  const [filter, counts] = [new SealedValueFilter(dependencies.vault), { hidden: 0 }];
  // The mark contains a position of the vault's previous log.
  await resetErasureMark(dependencies.vault);
  await beginOrigin(dependencies.log, dependencies.vault, 'import');
  const events = await putEvents(dependencies.log, storedEvents(source, filter, counts), {
    progress: done => writing(done, manifest.size),
    isOwn: ({ cause, type }) => cause === formatImportCause(manifest.root) || type === ClockMoved.type,
  });
  const { log, vault, clock } = dependencies;
  const journal = openJournal(log, new Codec(new MuseKeys(vault), EVENT_TYPES), clock);
  const takeover = await takeOver(dependencies, journal, manifest, done => claiming(done, manifest.size));
  const { checkpoint } = dependencies.trustAnchor;
  const new_issuer_key = await ensureImportedIssuerKey(dependencies, journal, manifest);
  await finishOrigin(dependencies.log, dependencies.vault);
  return {
    origin: manifest.origin,
    root: manifest.root,
    events,
    hidden: counts.hidden,
    erased: filter.erasedCount,
    claimed: takeover.claimed,
    tokens_ended: takeover.tokens,
    house_bound: takeover.house_bound,
    after_checkpoint: checkpoint && manifest.size - checkpoint.size,
    new_issuer_key,
    open_payments: facts.acceptedPayments().filter(isOpenPayment).length,
  };
}

async function takeOver(
  { clock, reason, houseKey, ...dependencies }: ImportDependencies,
  journal: Journal,
  { root }: Manifest,
  claiming: (events: number) => void,
): Promise<RevokedTrust & { readonly claimed: number }> {
  const claimStreams = await dependencies.claimStreams();
  const holdings = await readHoldings(journal, claimStreams, claiming);
  const context = { journal, clock, reason, root, claimStreams };
  const revoked = await revokeOldTrust(holdings, { ...context, houseKey });
  return { ...revoked, claimed: holdings.isOwn ? 0 : await claimHoldings(holdings.holders, context) };
}

function ensureImportedIssuerKey(
  { vault, clock, reason, issuerSeed }: ImportDependencies,
  journal: Journal,
  { origin, size, root }: Manifest,
) {
  const fullReason = `${reason} (imported from ${origin}: ${size} events with the root ${root})`;
  const context = { at: clock.now(), cause: formatImportCause(root), reason: fullReason };
  return ensureIssuerKey(journal, vault, context, () => issuerSeed ?? generateKey().seed);
}

async function requireVerified(
  source: EventSource,
  { tag, sales, trustAnchor }: ImportDependencies,
  file: string,
  progress: (events: number) => void,
) {
  const checkpoints = trustAnchor.checkpoint ? [trustAnchor.checkpoint] : [];
  const { findings, facts } = await verifyLog(source, { tag, sales, checkpoints, progress });
  const [first] = findings.list;
  if (first) {
    const summary = `${findings.total} findings, the first is: ${findingLine(first)}`;
    const command = commandFor('auditor', `verify --from ${file}`);
    throw new Error(`${file} does not verify: ${summary} To see all findings: ${command}`);
  }
  requireTrusted(trustAnchor, facts.issuerKeys(), file);
  return facts;
}

async function* storedEvents(
  source: EventSource,
  filter: SealedValueFilter,
  counts: { hidden: number },
): AsyncGenerator<StoredEvent> {
  for await (const shown of source.events(new Findings())) {
    if (isPrivateEvent(shown)) counts.hidden += 1;
    else yield await filter.toStorable(sealPublicEvent(shown));
  }
}

export interface TrustAnchor {
  readonly checkpoint: SignedCheckpoint | null;
  /** Public key in base64url, or its id. */
  readonly issuerKey: string | null;
}

function requireTrusted({ checkpoint, issuerKey }: TrustAnchor, keys: readonly IssuerKey[], file: string): void {
  const trusted = keys.filter(key => issuerKey === null || [key.public_key, key.kid].includes(issuerKey));
  if (issuerKey !== null && trusted.length === 0)
    throw new Error(
      `${issuerKey} is not an issuer key of the log in ${file}: the log belongs to another service or was changed.`,
    );
  if (!checkpoint || trusted.some(key => isSignedBy(checkpoint, key))) return;
  const signer = issuerKey === null ? `an issuer key of the log in ${file}` : `the issuer key ${issuerKey}`;
  throw new Error(`The checkpoint is not signed by ${signer}.`);
}

const isSignedBy = ({ note }: SignedCheckpoint, { public_key: key }: IssuerKey) =>
  note.isSignedBy(key) && verifyStrict(key, note.text, note.signature);
