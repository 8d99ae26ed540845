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
import { commandFor } from '#libs/terminal/command-line.js';
import { requireNoDocuments } from './backup.js';
import { withExclusiveFolder, withLogAndVault } from './stores.js';
import type { CommandReport } from './command-report.js';

/** What an import is told besides its file. */
interface ImportOptions {
  readonly reason: string;
  /** A file with a checkpoint that the export must agree with. */
  readonly checkpoint: string | undefined;
  /** The issuer key that its log must name, and that the checkpoint must be signed with. */
  readonly issuerKey: string | undefined;
}

/** Puts an auditor's export into an empty log, while no service runs on it. */
export async function importLog(
  settings: Settings,
  file: string,
  { reason, checkpoint, issuerKey }: ImportOptions,
): Promise<CommandReport> {
  const bars = new ProgressBars();
  const { issuerKeyFile, messageTag: tag } = settings;
  const issuerSeed = issuerKeyFile === null ? null : readEd25519Seed('ISSUER_KEY_FILE', issuerKeyFile);
  const believed = {
    checkpoint: checkpoint === undefined ? null : readKeptCheckpoint(checkpoint),
    issuerKey: issuerKey ?? null,
  };
  const progress = {
    verifying: bars.partBar('Verifying the export'),
    writing: bars.partBar('Writing events'),
    claiming: bars.partBar('Looking for what is held'),
  };
  try {
    const imported = await withExclusiveFolder(settings, async () => {
      await requireNoDocuments(settings);
      return withLogAndVault(settings, async ({ log, vault }) => {
        const claimStreams = () => openClaimStreams(vault);
        const houseKey = async () => publicKeyOf(await houseSeed(vault));
        const of = { log, vault, claimStreams, houseKey };
        const now = clockOf(settings).now();
        return importExport(
          {
            ...of,
            trustAnchor: believed,
            now,
            tag,
            sales: SALES,
            reason,
            issuerSeed,
          },
          file,
          progress,
        );
      });
    });
    bars.end();
    return { ok: true, json: { ok: true, file, ...imported }, text: formatImport(imported) };
  } finally {
    bars.end();
  }
}

function formatImport(imported: ImportResult): string {
  const { origin, events, hidden, erased, claimed, new_issuer_key, open_payments } = imported;
  const { tokens_ended: tokens, house_bound: isHouseBound, after_checkpoint: after } = imported;
  const lines: [boolean, string][] = [
    [true, `${events} events of ${origin} are imported.`],
    [hidden > 0, `${hidden} events are shown by their digest alone in it, and are not.`],
    [erased > 0, `${erased} sealed values have no key in this vault: they read as erased.`],
    [claimed > 0, `${claimed} keys, wallets and names that are held were claimed under the key of this vault.`],
    [after !== null, `It agrees with the checkpoint; ${after} of its events came after it.`],
    [tokens > 0, `${tokens} tokens have ended: only who has a key acts here as before.`],
    [isHouseBound, 'The house signs with the key of this vault.'],
    [new_issuer_key !== null, `The service signs with a new issuer key: ${new_issuer_key}.`],
    [
      open_payments > 0,
      `${open_payments} payments had not ended: look at them with ${commandFor('operator', 'payments')}.`,
    ],
    [true, 'Start the service: it makes what reads answer from.'],
  ];
  return lines.flatMap(([said, sentence]) => (said ? [sentence] : [])).join('\n');
}
