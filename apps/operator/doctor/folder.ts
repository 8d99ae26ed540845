import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { readHouseRoles } from '#libs/features/jobs/roles-file.js';
import { createLimitTable } from '#libs/service/limits.js';
import { readEd25519Seed, readHouseWalletKey, readRelayerKeys } from '#libs/setup/key-files.js';
import { configuredRails } from '#libs/setup/configured-rails.js';
import type { Settings } from '#libs/setup/settings.js';
import { storeFiles } from '#libs/setup/store-adapters.js';
import { NeverStarted, failedCheck, type Check, passedCheck, checkThat } from './check.js';

const GIB = 1024 ** 3;
const FREE_GIB_MIN = 1;
/** Permissions of group and others. */
const OTHERS_MODE = 0o077;

export async function checkFiles(settings: Settings): Promise<Check[]> {
  const { relayerKeyFile, issuerKeyFile } = settings;
  if (relayerKeyFile !== null) readRelayerKeys(relayerKeyFile);
  if (issuerKeyFile !== null) readEd25519Seed('ISSUER_KEY_FILE', issuerKeyFile);
  readHouseWalletKey(settings);
  createLimitTable(settings.rateLimits);
  const roles = readHouseRoles(settings, configuredRails(settings));
  const rolesText = roles === null ? 'no jobs file' : `${roles.length} jobs in its file`;
  return [passedCheck('settings', `All settings are valid; the house has ${rolesText}.`)];
}

export async function checkFolder(settings: Settings): Promise<Check[]> {
  const { dataDir } = settings;
  if (!existsSync(dataDir)) throw new NeverStarted(`The folder ${dataDir} does not exist.`);
  const { vault } = storeFiles(settings);
  const secret = [dataDir, ...(vault !== undefined && existsSync(vault) ? [vault] : [])];
  return [...secret.map(checkMode), checkWritable(dataDir), checkSpace(dataDir)];
}

function checkMode(path: string): Check {
  const mode = statSync(path).mode & 0o777;
  return checkThat(
    (mode & OTHERS_MODE) === 0,
    'data folder',
    `Only its owner can access ${path}.`,
    `${path} has the mode ${mode.toString(8)}: other users of this machine can read it.`,
    `chmod go-rwx ${path}`,
  );
}

function checkWritable(folder: string): Check {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return passedCheck('data folder', `${folder} can be written.`);
  } catch {
    return failedCheck(
      'data folder',
      `${folder} cannot be written by this user.`,
      'Run as the user of the service, or change the owner.',
    );
  }
}

function checkSpace(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / GIB;
  return checkThat(
    free >= FREE_GIB_MIN,
    'disk',
    `${free.toFixed(1)} GiB are free for ${folder}.`,
    `Only ${free.toFixed(2)} GiB are free for ${folder}; a full disk makes every write fail.`,
    'Make room, or move DATA_DIR to a larger disk while the service is stopped.',
  );
}
