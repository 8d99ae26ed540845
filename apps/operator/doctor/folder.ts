import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { readHouseRoles } from '#libs/features/jobs/roles-file.js';
import { limitTable } from '#libs/service/limits.js';
import { ed25519SeedOf, houseWalletKeyOf, relayerKeysOf } from '#libs/setup/key-files.js';
import { configuredRails } from '#libs/setup/configured-rails.js';
import type { Settings } from '#libs/setup/settings.js';
import { filesOf } from '#libs/setup/chosen-stores.js';
import { NeverRan, bad, type Check, good, holds } from './check.js';

const GIB = 1024 ** 3;
const FREE_GIB_MIN = 1;
/** What anybody but the owner may do. */
const OTHERS = 0o077;

/** The files that the settings name: whether they can be read, and hold what they should. */
export async function checkFiles(settings: Settings): Promise<Check[]> {
  const { relayerKeyFile, issuerKeyFile } = settings;
  if (relayerKeyFile !== null) relayerKeysOf(relayerKeyFile);
  if (issuerKeyFile !== null) ed25519SeedOf('ISSUER_KEY_FILE', issuerKeyFile);
  houseWalletKeyOf(settings);
  limitTable(settings.rateLimits);
  const roles = readHouseRoles(settings, configuredRails(settings));
  const said = roles === null ? 'no file of roles' : `${roles.length} roles in its file`;
  return [good('settings', `Every setting is right; the house has ${said}.`)];
}

/** The data folder and the vault's file: that nobody else reads them, and that they can be written. */
export async function checkFolder(settings: Settings): Promise<Check[]> {
  const { dataDir } = settings;
  if (!existsSync(dataDir)) throw new NeverRan(`There is no folder ${dataDir}.`);
  const { vault } = filesOf(settings);
  const secret = [dataDir, ...(vault !== undefined && existsSync(vault) ? [vault] : [])];
  return [...secret.map(checkMode), checkWritable(dataDir), checkSpace(dataDir)];
}

function checkMode(path: string): Check {
  const mode = statSync(path).mode & 0o777;
  return holds(
    (mode & OTHERS) === 0,
    'data folder',
    `${path} is its owner's alone.`,
    `${path} has the mode ${mode.toString(8)}: other users of this machine may look into it.`,
    `chmod go-rwx ${path}`,
  );
}

function checkWritable(folder: string): Check {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return good('data folder', `${folder} can be written.`);
  } catch {
    return bad(
      'data folder',
      `${folder} cannot be written by this user.`,
      'Run as the user of the service, or chown it.',
    );
  }
}

function checkSpace(folder: string): Check {
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / GIB;
  return holds(
    free >= FREE_GIB_MIN,
    'disk',
    `${free.toFixed(1)} GiB are free for ${folder}.`,
    `Only ${free.toFixed(2)} GiB are free for ${folder}; a full disk refuses every write.`,
    'Make room, or move DATA_DIR to a larger disk while the service is stopped.',
  );
}
