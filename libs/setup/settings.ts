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
  throwProblems([
    ...problemsOfStores(settings),
    ...problemsOfAddress(settings),
    ...problemsOfSiblings(settings),
    ...(settings.chain === 'rpc' ? problemsOfRpc(settings) : []),
  ]);
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

function problemsOfStores({ documents, vault, mongodbUrl, eventLog, eventstoreUrl }: Settings): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const inMongodb = documents === 'mongodb' ? 'DOCUMENTS' : vault === 'mongodb' ? 'VAULT' : null;
  if (inMongodb !== null && mongodbUrl === null) {
    const sentence = `${inMongodb}=mongodb needs it: mongodb://host:27017/name?replicaSet=rs0`;
    problems.push({ name: 'MONGODB_URL', sentence });
  }
  if (eventLog === 'eventstoredb' && eventstoreUrl === null) {
    const sentence = 'EVENT_LOG=eventstoredb needs it: esdb://host:2113?tls=false';
    problems.push({ name: 'EVENTSTORE_URL', sentence });
  }
  return problems;
}

/** Credentials, checkpoints and offers contain the address, so it must be reachable. In development localhost is. */
function problemsOfAddress({ host, baseUrl, chain }: Settings): SettingProblem[] {
  if (!isWildcard(host) || baseUrl !== null || chain === 'dev') return [];
  return [
    { name: 'BASE_URL', sentence: `HOST=${host} is not an address that clients can call: set the public address.` },
  ];
}

function problemsOfSiblings({ siblingUrl, siblingFile }: Settings): SettingProblem[] {
  if (siblingUrl === null || siblingFile === null) return [];
  return [{ name: 'SIBLING_FILE', sentence: 'SIBLING_URL is set too. Set only one of them.' }];
}

function problemsOfRpc(settings: Settings): SettingProblem[] {
  const forDevelopment: [string, boolean][] = [
    ['RATE_LIMITS', settings.rateLimits.mode === 'off'],
    ['FETCH_ALLOW', settings.fetchAllow.length > 0],
    ['TEST_CLOCK_FILE', settings.testClockFile !== null],
  ];
  const missing: [string, boolean, string][] = [
    [
      'BASE_RPC_URL',
      settings.baseRpc.length + settings.robinhoodRpc.length === 0,
      'an RPC address of at least one chain',
    ],
    ['RELAYER_KEY_FILE', settings.relayerKeyFile === null, 'the key of a relayer'],
    ['SERVICE_WALLET', settings.serviceWallet === null, 'an address for fees'],
  ];
  return [
    ...forDevelopment.flatMap(([name, isSet]) => (isSet ? [{ name, sentence: 'is only for CHAIN=dev.' }] : [])),
    ...missing.flatMap(([name, isMissing, need]) =>
      isMissing ? [{ name, sentence: `CHAIN=rpc needs ${need}.` }] : [],
    ),
  ];
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
  [['baseRpc', 'robinhoodRpc', 'relayerKeyFile'], 'CHAIN=rpc', ({ chain }) => chain === 'rpc'],
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
