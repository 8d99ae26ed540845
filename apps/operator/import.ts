import { SALES } from '#libs/service/sales.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { readKeptCheckpoint } from '#libs/audit/kept-evidence.js';
import { importExport, type ImportResult } from '#libs/backup/import.js';
import { houseSeed } from '#libs/features/identity/house-muse.js';
import { readEd25519Seed } from '#libs/setup/key-files.js';
import type { Settings } from '#libs/setup/settings.js';
import { openClaimStreams } from '#libs/setup/stores.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { commandFor, type CommandReport, done } from '#libs/terminal/command-line.js';
import { requireNoDocuments, withExclusiveFolder, withLogAndVault } from './stores.js';

interface ImportOptions {
  readonly reason: string;
  /** File with a checkpoint that the export must contain. */
  readonly checkpoint?: string | undefined;
  /** Key that the log must name and that must have signed the checkpoint. */
  readonly issuerKey?: string | undefined;
}

export function importLog(
  settings: Settings,
  file: string,
  { reason, checkpoint, issuerKey }: ImportOptions,
): Promise<CommandReport> {
  const { issuerKeyFile, messageTag: tag } = settings;
  const issuerSeed = issuerKeyFile === null ? null : readEd25519Seed('ISSUER_KEY_FILE', issuerKeyFile);
  const trustAnchor = {
    checkpoint: checkpoint === undefined ? null : readKeptCheckpoint(checkpoint),
    issuerKey: issuerKey ?? null,
  };
  return ProgressBars.during(async bars => {
    const progress = {
      verifying: bars.partBar('Verifying the export'),
      writing: bars.partBar('Writing events'),
      claiming: bars.partBar('Claiming names and keys'),
    };
    const imported = await withExclusiveFolder(settings, async () => {
      await requireNoDocuments(settings);
      return withLogAndVault(settings, async stores => {
        const { vault } = stores;
        const claimStreams = () => openClaimStreams(vault);
        const houseKey = async () => publicKeyOf(await houseSeed(vault));
        const options = { trustAnchor, clock: clockOf(settings), tag, sales: SALES, reason, issuerSeed };
        return importExport({ ...stores, claimStreams, houseKey, ...options }, file, progress);
      });
    });
    return done({ file, ...imported }, formatImport(imported));
  });
}

function formatImport(imported: ImportResult): string {
  const { origin, events, hidden, erased, claimed, new_issuer_key, open_payments } = imported;
  const { tokens_ended: tokens, house_bound: isHouseBound, after_checkpoint: after } = imported;
  const lines: [boolean, string][] = [
    [true, `${events} events of ${origin} were imported.`],
    [hidden > 0, `${hidden} events were not imported: the export has only their digests.`],
    [erased > 0, `${erased} sealed values have no key in this vault and read as erased.`],
    [claimed > 0, `${claimed} keys, wallets and names were claimed under the key of this vault.`],
    [after !== null, `The export agrees with the checkpoint and has ${after} later events.`],
    [tokens > 0, `${tokens} tokens have ended: their agents must sign with their keys.`],
    [isHouseBound, 'The house signs with the key of this vault.'],
    [new_issuer_key !== null, `The service signs with a new issuer key: ${new_issuer_key}.`],
    [open_payments > 0, `${open_payments} payments are unfinished: see ${commandFor('operator', 'payments')}.`],
    [true, 'Start the service: it builds its read models.'],
  ];
  return lines.flatMap(([applies, sentence]) => (applies ? [sentence] : [])).join('\n');
}
