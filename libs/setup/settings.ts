import { resolve } from 'node:path';
import type { LimitRules } from '#libs/limits/rules.js';
import { type Environment, type Setting, SettingError, valueOf } from './setting.js';
import { AS_DOCUMENTS, SETTINGS } from './settings.table.js';

type Read = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> };
export type Settings = Omit<Read, 'vault' | 'rateLimits'> & {
  readonly vault: Read['documents'];
  readonly rateLimits: LimitRules;
};

/** Where the demo serves its deliveries. */
const DEMO_DELIVERIES = '127.0.0.1:4321';

/** The settings of an environment. Throws a `SettingError` that names the first wrong one. */
export function readSettings(environment: Environment): Settings {
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [
    key,
    valueOf(setting as Setting<unknown>, environment),
  ]);
  const settings = resolved(Object.fromEntries(entries) as Read);
  checkStores(settings);
  checkEventLog(settings);
  if (settings.chain === 'rpc') checkRpc(settings);
  const fetchAllow =
    settings.chain === 'dev' && settings.fetchAllow.length === 0 ? [DEMO_DELIVERIES] : settings.fetchAllow;
  return { ...settings, fetchAllow, dataDir: resolve(settings.dataDir) };
}

/** Settings whose default follows from another one. */
const resolved = (settings: Read): Settings => ({
  ...settings,
  vault: settings.vault === AS_DOCUMENTS ? settings.documents : settings.vault,
  rateLimits: limitsOf(settings),
});

/** A file overrides single limits of those that stand without it. */
function limitsOf({ rateLimits, chain }: Read): LimitRules {
  return { mode: rateLimits?.mode ?? (chain === 'dev' ? 'dev' : 'on'), overrides: rateLimits?.overrides ?? {} };
}

function checkStores({ documents, vault, mongodbUrl }: Settings): void {
  if ((documents !== 'mongodb' && vault !== 'mongodb') || mongodbUrl !== null) return;
  const who = documents === 'mongodb' ? 'DOCUMENTS' : 'VAULT';
  throw new SettingError('MONGODB_URL', `${who}=mongodb needs it: mongodb://host:27017/name?replicaSet=rs0`);
}

function checkEventLog({ eventLog, eventstoreUrl }: Settings): void {
  if (eventLog !== 'eventstoredb' || eventstoreUrl !== null) return;
  throw new SettingError('EVENTSTORE_URL', 'EVENT_LOG=eventstoredb needs it: esdb://host:2113?tls=false');
}

function checkRpc(settings: Settings): void {
  const onlyDev: [string, boolean][] = [
    ['RATE_LIMITS', settings.rateLimits.mode === 'off'],
    ['FETCH_ALLOW', settings.fetchAllow.length > 0],
    ['TEST_CLOCK_FILE', settings.testClockFile !== null],
  ];
  for (const [name, used] of onlyDev) if (used) throw new SettingError(name, 'is for CHAIN=dev alone.');
  if (settings.baseRpc.length + settings.robinhoodRpc.length === 0) {
    throw new SettingError('BASE_RPC_URL', 'CHAIN=rpc needs an RPC address of at least one chain.');
  }
  if (settings.relayerKeyFile === null)
    throw new SettingError('RELAYER_KEY_FILE', 'CHAIN=rpc needs the key of a relayer.');
  if (settings.serviceWallet === null) throw new SettingError('SERVICE_WALLET', 'CHAIN=rpc needs an address for fees.');
}
