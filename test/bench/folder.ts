import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEV_RELAYER_KEY, DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { readSettings, type Settings } from '#libs/setup/settings.js';

/** Unused port: a benchmark without payments needs no chain. */
const NO_CHAIN = 'http://127.0.0.1:9';

interface Environment {
  [name: string]: string;
}

export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'bench-'));

  copy(from: string, to: string): string {
    cpSync(join(this.path, from), join(this.path, to), { recursive: true });
    return join(this.path, to);
  }

  drop(folder: string, file: string): void {
    rmSync(join(folder, file), { force: true });
  }

  of(name: string): string {
    return join(this.path, name);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Environment of a service on a folder; `fetched` is a `host:port` it may call on a development chain. */
export function environmentOf(dataDir: string, chain: 'none' | 'dev' = 'none', fetched = ''): Environment {
  const own = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', HOUSE_ROLES: `${dataDir}.roles.json` };
  writeFileSync(own.HOUSE_ROLES, '[]');
  if (chain === 'dev') return { ...own, DEV_CHAIN_PORTS: '0,0', ...(fetched && { FETCH_ALLOW: fetched }) };
  const key = `${dataDir}.relayer`;
  writeFileSync(key, DEV_RELAYER_KEY);
  return { ...own, CHAIN: 'rpc', BASE_RPC_URL: NO_CHAIN, RELAYER_KEY_FILE: key, SERVICE_WALLET: DEV_SERVICE_WALLET };
}

export function settingsOf(dataDir: string, chain: 'none' | 'dev' = 'none', fetched = ''): Settings {
  return readSettings(environmentOf(dataDir, chain, fetched));
}
