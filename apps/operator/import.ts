import { clockOf } from '#libs/setup/file-clock.js';
import { importExport, type Imported } from '#libs/backup/import.js';
import { ed25519SeedOf } from '#libs/setup/key-files.js';
import type { Settings } from '#libs/setup/settings.js';
import { openClaimStreams } from '#libs/setup/stores.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { mustHaveNoDocuments } from './backup.js';
import { alone, withLogAndVault } from './stores.js';
import type { CommandReport } from './command-report.js';

/** Puts an auditor's export into an empty log, while no service runs on it. */
export async function importLog(settings: Settings, file: string, reason: string): Promise<CommandReport> {
  const bars = new ProgressBars();
  const { issuerKeyFile, messageTag: tag } = settings;
  const issuerSeed = issuerKeyFile === null ? null : ed25519SeedOf('ISSUER_KEY_FILE', issuerKeyFile);
  const progress = {
    verifying: bars.of('Verifying the export'),
    writing: bars.of('Writing events'),
    claiming: bars.of('Looking for what is held'),
  };
  try {
    const imported = await alone(settings, async () => {
      await mustHaveNoDocuments(settings);
      return withLogAndVault(settings, async ({ log, vault }) => {
        const claimStreams = () => openClaimStreams(vault);
        const now = clockOf(settings).now();
        return importExport({ log, vault, claimStreams, now, tag, reason, issuerSeed }, file, progress);
      });
    });
    bars.end();
    return { ok: true, json: { ok: true, file, ...imported }, text: textOf(imported) };
  } finally {
    bars.end();
  }
}

function textOf({ origin, events, hidden, erased, claimed, new_issuer_key, open_payments }: Imported): string {
  const lines: [boolean, string][] = [
    [true, `${events} events of ${origin} are imported.`],
    [hidden > 0, `${hidden} events are shown by their digest alone in it, and are not.`],
    [erased > 0, `${erased} sealed values have no key in this vault: they read as erased.`],
    [claimed > 0, `${claimed} keys, wallets and names that are held were claimed under the key of this vault.`],
    [new_issuer_key !== null, `The service signs with a new issuer key: ${new_issuer_key}.`],
    [open_payments > 0, `${open_payments} payments had not ended: look at them with npm run operator -- payments.`],
    [true, 'Start the service: it makes what reads answer from.'],
  ];
  return lines.flatMap(([said, sentence]) => (said ? [sentence] : [])).join('\n');
}
