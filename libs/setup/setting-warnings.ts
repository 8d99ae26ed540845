import { isLoopback } from './listen-address.js';
import { type Environment, settingText } from './setting.js';
import type { Settings } from './settings.js';
import { SETTINGS } from './settings.table.js';

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
