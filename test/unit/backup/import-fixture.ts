import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DECISIONS } from '#libs/service/decision-table.js';
import { SALES } from '#libs/service/sales.js';
import { writeExport } from '#libs/audit/export.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { logSource } from '#libs/audit/sources/log.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import { importExport, type ImportDependencies } from '#libs/backup/import.js';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { lookUpInLog, PublicEvents } from '#libs/features/public-events/views/public-events.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { HonestLog, TAG } from '../audit/honest-log.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { makeFolder } from '../../temporary-folder.js';

/** Seed of the new issuer key. */
export const SEED = new Uint8Array(32).fill(5);
export const NEW_HOUSE_KEY = publicKeyOf(new Uint8Array(32).fill(7));
export const NEW_CLAIMS = new ClaimStreams(Buffer.alloc(32, 7));

/** An honest log, its export, and empty stores for the import. */
export class Importing {
  readonly folder = makeFolder();
  readonly file = join(this.folder, 'log.export');
  log = new MemoryLog();
  vault = new MemoryVault();

  private constructor(readonly exported: HonestLog) {}

  static async begin(log = HonestLog.told()): Promise<Importing> {
    const importing = new Importing(await log);
    await importing.export();
    return importing;
  }

  async export(): Promise<void> {
    rmSync(this.file, { force: true });
    await writeExport(this.exported.source(), this.file);
  }

  run(more: Partial<ImportDependencies> = {}) {
    return importExport(this.parts(more), this.file);
  }

  /** Runs until `mayWrite` forbids an append, like a killed process. */
  async runUntilKilled(mayWrite: () => boolean): Promise<void> {
    const append: MemoryLog['append'] = (...args) =>
      mayWrite() ? this.log.append(...args) : Promise.reject(new Error('killed'));
    const mortal = Object.assign(Object.create(this.log) as MemoryLog, { append });
    await this.run({ log: mortal }).catch((error: Error) => {
      if (error.message !== 'killed') throw error;
    });
  }

  async museHere(museId: string) {
    const { state } = await this.journal.load(Muse.source(museId));
    if (!isKnownMuse(state)) throw new Error(`${museId} is not here.`);
    return state;
  }

  get journal(): Journal {
    return new Journal(this.log, this.codec);
  }

  source() {
    const { log, codec } = this;
    const shown = new PublicEvents(codec, lookUpInLog(log, codec), () => undefined);
    const show = async (stored: StoredEvent) => (await shown.of([stored]))[0] as unknown as PublicEvent;
    return logSource({ log, show, origin: 'jobs.example' });
  }

  /** Audits the fork. Only import decisions are known: the exported events name none. */
  async problems(): Promise<string[]> {
    const decisions = new Map([...DECISIONS].filter(([name]) => name.startsWith('import-')));
    const { findings } = await verifyLog(this.source(), {
      tag: TAG,
      sales: SALES,
      decisions,
    });
    return findings.list.filter(({ kind }) => kind !== 'unknown_rule').map(({ problem }) => problem);
  }

  private get codec(): Codec {
    return new Codec(new MuseKeys(this.vault), EVENT_TYPES);
  }

  private parts(more: Partial<ImportDependencies>): ImportDependencies {
    return {
      log: this.log,
      vault: this.vault,
      clock: this.exported.stores.clock,
      tag: TAG,
      sales: SALES,
      reason: 'moved',
      issuerSeed: SEED,
      claimStreams: async () => NEW_CLAIMS,
      houseKey: async () => NEW_HOUSE_KEY,
      trustAnchor: { checkpoint: null, issuerKey: null },
      ...more,
    };
  }
}
