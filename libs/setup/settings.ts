import { resolve } from 'node:path';
import type { LimitRules } from '#libs/platform/limits/limit-table.js';
import { withPassword } from './key-files.js';
import { isWildcard, isLoopback } from './listen-address.js';
import {
  type Environment,
  type SettingProblem,
  type Setting,
  settingText,
  throwProblems,
  readSetting,
} from './setting.js';
import { AS_DOCUMENTS, SETTINGS } from './settings.table.js';

type SettingValues = { readonly [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> };
export type Settings = Omit<SettingValues, 'vault' | 'rateLimits' | 'houseRoles'> & {
  readonly vault: SettingValues['documents'];
  readonly rateLimits: LimitRules;
  /** The named file; null for the default file. */
  readonly houseRoles: string | null;
  /** The configured port; null if it is unset or 0. */
  readonly namedPort: number | null;
};

const DEMO_DELIVERIES = '127.0.0.1:4321';

/** Throws a `SettingError` that names every wrong setting. */
export function readSettings(environment: Environment): Settings {
  const settings = applyDefaults(readValues(environment), environment);
  throwProblems(findProblems(settings));
  const fetchAllow =
    settings.chain === 'dev' && settings.fetchAllow.length === 0 ? [DEMO_DELIVERIES] : settings.fetchAllow;
  return { ...settings, fetchAllow, dataDir: resolve(settings.dataDir) };
}

function readValues(environment: Environment): SettingValues {
  const results = Object.entries(SETTINGS).map(([key, setting]) => ({
    key,
    result: readSetting(setting as Setting<unknown>, environment),
  }));
  throwProblems(results.flatMap(({ result }) => ('sentence' in result ? [result] : [])));
  return Object.fromEntries(
    results.map(({ key, result }) => [key, 'value' in result ? result.value : null]),
  ) as SettingValues;
}

/** Defaults that follow from another setting. */
const applyDefaults = (settings: SettingValues, environment: Environment): Settings => ({
  ...settings,
  houseRoles: settingText(SETTINGS.houseRoles, environment) === undefined ? null : settings.houseRoles,
  namedPort: settingText(SETTINGS.port, environment) === undefined || settings.port === 0 ? null : settings.port,
  vault: settings.vault === AS_DOCUMENTS ? settings.documents : settings.vault,
  rateLimits: limitRules(settings),
  mongodbUrl: withPassword(settings.mongodbUrl, settings.mongodbPasswordFile),
});

function limitRules({ rateLimits, chain }: SettingValues): LimitRules {
  return { mode: rateLimits?.mode ?? (chain === 'dev' ? 'dev' : 'on'), overrides: rateLimits?.overrides ?? {} };
}

/** Finds settings that contradict or need each other. */
function findProblems(settings: Settings): SettingProblem[] {
  const { documents, vault, mongodbUrl, eventLog, eventstoreUrl, host, baseUrl, siblingUrl, siblingFile } = settings;
  const isRpc = settings.chain === 'rpc';
  const isReal = settings.chain !== 'dev';
  const isFacilitator = settings.chain === 'facilitator';
  const onlyDev = 'is only for CHAIN=dev.';
  const usesMongodb = documents === 'mongodb' || vault === 'mongodb';
  const hasNoRpc = settings.baseRpc.length + settings.robinhoodRpc.length === 0;
  const rules: [name: string, isWrong: boolean, sentence: string][] = [
    [
      'MONGODB_URL',
      usesMongodb && mongodbUrl === null,
      `${documents === 'mongodb' ? 'DOCUMENTS' : 'VAULT'}=mongodb needs it: mongodb://host:27017/name?replicaSet=rs0`,
    ],
    [
      'EVENTSTORE_URL',
      eventLog === 'eventstoredb' && eventstoreUrl === null,
      'EVENT_LOG=eventstoredb needs it: esdb://host:2113?tls=false',
    ],
    // Credentials, checkpoints and offers contain the address. In development localhost is reachable.
    [
      'BASE_URL',
      isReal && isWildcard(host) && baseUrl === null,
      `HOST=${host} is not an address that clients can call: set the public address.`,
    ],
    ['SIBLING_FILE', siblingUrl !== null && siblingFile !== null, 'SIBLING_URL is set too. Set only one of them.'],
    ['RATE_LIMITS', isReal && settings.rateLimits.mode === 'off', onlyDev],
    ['FETCH_ALLOW', isReal && settings.fetchAllow.length > 0, onlyDev],
    ['TEST_CLOCK_FILE', isReal && settings.testClockFile !== null, onlyDev],
    ['BASE_RPC_URL', isReal && hasNoRpc, `CHAIN=${settings.chain} needs an RPC address of at least one chain.`],
    ['FACILITATOR_URL', isFacilitator && settings.facilitatorUrl === null, 'CHAIN=facilitator needs its address.'],
    ['RELAYER_KEY_FILE', isRpc && settings.relayerKeyFile === null, 'CHAIN=rpc needs the key of a relayer.'],
    ['SERVICE_WALLET', isReal && settings.serviceWallet === null, `CHAIN=${settings.chain} needs an address for fees.`],
  ];
  return rules.flatMap(([name, isWrong, sentence]) => (isWrong ? [{ name, sentence }] : []));
}

type Key = keyof typeof SETTINGS;
/** Settings that have an effect only with another setting. */
const ONLY_WITH: readonly [keys: readonly Key[], why: string, isUsed: (settings: Settings) => boolean][] = [
  [['eventstoreUrl'], 'EVENT_LOG=eventstoredb', ({ eventLog }) => eventLog === 'eventstoredb'],
  [
    ['mongodbUrl', 'mongodbPasswordFile'],
    'DOCUMENTS=mongodb or VAULT=mongodb',
    ({ documents, vault }) => documents === 'mongodb' || vault === 'mongodb',
  ],
  [['devChainPorts'], 'CHAIN=dev', ({ chain }) => chain === 'dev'],
  [['baseRpc', 'robinhoodRpc'], 'CHAIN=rpc or CHAIN=facilitator', ({ chain }) => chain !== 'dev'],
  [['relayerKeyFile'], 'CHAIN=rpc', ({ chain }) => chain === 'rpc'],
  [['facilitatorUrl', 'facilitatorHeadersFile'], 'CHAIN=facilitator', ({ chain }) => chain === 'facilitator'],
];

/** Warns about settings that have no effect, and about a development service that other machines can reach. */
export const settingWarnings = (settings: Settings, environment: Environment): string[] => [
  ...unusedSettings(settings, environment),
  ...exposureWarnings(settings),
];

function unusedSettings(settings: Settings, environment: Environment): string[] {
  return ONLY_WITH.filter(([, , isUsed]) => !isUsed(settings)).flatMap(([keys, why]) =>
    keys
      .map(key => SETTINGS[key])
      .filter(setting => settingText(setting, environment) !== undefined)
      .map(({ name }) => `${name} is set but only used with ${why}.`),
  );
}

/** Its wallets have public keys, its limits are loose, and it fetches from this machine. */
export function exposureWarnings({ chain, host }: Pick<Settings, 'chain' | 'host'>): string[] {
  if (chain !== 'dev' || isLoopback(host)) return [];
  const sentence = `HOST=${host} opens this service to other machines, but CHAIN=dev is for development`;
  return [`${sentence}: play money, public keys, loose limits. Set HOST=127.0.0.1, or CHAIN=rpc.`];
}
