import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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

/** Clients that the build has packed. Where sources run, as in tests, the first request builds if they have changed. */
export class PackedClients {
  /** Shared by the services of a process. */
  private static loading: Promise<readonly PackedClient[]> | undefined;

  all(): Promise<readonly PackedClient[]> {
    PackedClients.loading ??= load().catch((error: unknown) => {
      PackedClients.loading = undefined;
      throw error;
    });
    return PackedClients.loading;
  }
}

async function load(): Promise<PackedClient[]> {
  if (IS_SOURCE) await promisify(execFile)(process.execPath, [fileURLToPath(new URL('apps/fresh-build.mjs', TOP))]);
  const folder = fileURLToPath(new URL(IS_SOURCE ? 'dist/clients' : 'clients', TOP));
  return Promise.all(
    CLIENTS.map(async client => {
      const bytes = await readFile(join(folder, client.file));
      return { ...client, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
}
