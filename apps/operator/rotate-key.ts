import { clockOf } from '#libs/setup/file-clock.js';
import { randomUUID } from 'node:crypto';
import { Codec } from '#libs/event-log/codec.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { rotateIssuerKey } from '#libs/issuer/issuer.js';
import { openJournal } from '#libs/setup/journal.js';
import type { Settings } from '#libs/setup/settings.js';
import { generateKey } from '#libs/platform/signing/ed25519.js';
import { requireStores, withLogAndVault } from './stores.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** The running service uses the new key for its next signature. */
export async function rotateKey(settings: Settings, reason: string): Promise<CommandReport> {
  requireStores(settings);
  const rotated = await withLogAndVault(settings, ({ log, vault }) => {
    const clock = clockOf(settings);
    const journal = openJournal(log, new Codec(new MuseKeys(vault), EVENT_TYPES), clock);
    const by = { at: clock.now(), cause: `operator/rotate-key/${randomUUID()}`, reason };
    return rotateIssuerKey(journal, vault, by, generateKey().seed);
  });
  const text = `The service now signs with ${rotated.kid}. Signatures of ${rotated.retired} stay valid. Make a backup.`;
  return done(rotated, text);
}
