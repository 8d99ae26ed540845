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

/** Warns about settings that are set but have no effect. */
export function unusedSettings(settings: Settings, environment: Environment): string[] {
  return ONLY_WITH.filter(([, , isUsed]) => !isUsed(settings)).flatMap(([keys, why]) =>
    keys
      .map(key => SETTINGS[key])
      .filter(setting => settingText(setting, environment) !== undefined)
      .map(({ name }) => `${name} is set but only used with ${why}.`),
  );
}
