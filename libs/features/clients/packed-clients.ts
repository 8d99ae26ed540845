import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CLIENTS } from './public.js';

/** The alias finds the compiled file from a bundle too, where a relative path would not. */
const HERE = import.meta.resolve('#libs/features/clients/packed-clients.js');
/** Whether the sources run directly, as in tests. */
const IS_SOURCE = HERE.endsWith('.ts');
const TOP = new URL('../../../', HERE);

type PackedClient = (typeof CLIENTS)[number] & { readonly bytes: Buffer; readonly sha256: string };

/** Clients that the build has packed. A service that runs its sources packs them at the first request. */
export class PackedClients {
  /** Shared by the services of a process: packing takes ten seconds. */
  private static loading: Promise<readonly PackedClient[]> | undefined;

  all(): Promise<readonly PackedClient[]> {
    const loading = IS_SOURCE ? pack : () => load(fileURLToPath(new URL('clients/', TOP)));
    PackedClients.loading ??= loading().catch((error: unknown) => {
      PackedClients.loading = undefined;
      throw error;
    });
    return PackedClients.loading;
  }
}

async function pack(): Promise<PackedClient[]> {
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  try {
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL('apps/pack-clients.mjs', TOP)), folder]);
    return await load(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const load = (folder: string) =>
  Promise.all(
    CLIENTS.map(async client => {
      const bytes = await readFile(join(folder, client.file));
      return { ...client, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
