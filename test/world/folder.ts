import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pages } from '../pages.js';
import type { Environment } from './service-process.js';

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'world-'));
  writeFileSync(join(folder, 'clock'), '0');
  writeFileSync(join(folder, 'roles.json'), '[]');
  return folder;
}

/** Allows the pages of the world and the given hosts; an empty setting allows nothing. */
const allowedHosts = (pages: string, more: string | undefined) =>
  more === '' ? '' : [pages, more].filter(Boolean).join();

/** Later settings replace earlier ones. */
export function environmentOf(folder: string, pages: Pages, ...more: (Environment | undefined)[]): Environment {
  const settings: Environment = Object.assign({}, ...more);
  return {
    ...settingsIn(folder),
    ...settings,
    FETCH_ALLOW: allowedHosts(pages.host, settings['FETCH_ALLOW']),
  };
}

export const settingsIn = (folder: string): Environment => ({
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  DEV_CHAIN_PORTS: '0,0',
  RATE_LIMITS: 'off',
  TEST_CLOCK_FILE: join(folder, 'clock'),
  HOUSE_ROLES: join(folder, 'roles.json'),
});
