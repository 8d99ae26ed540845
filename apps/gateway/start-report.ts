import type { ChainReport } from '#libs/payments/chain-state.js';
import { RAILS } from '#libs/payments/rails.js';
import { configuredRails } from '#libs/setup/configured-rails.js';
import type { Settings } from '#libs/setup/settings.js';
import { describeStores, shownPath } from '#libs/setup/store-places.js';
import { commandFor } from '#libs/terminal/command-line.js';
import type { Service } from './service.js';

const NAME_WIDTH = 11;
const DEMO_WIDTH = 37;

type Row = readonly [name: string, text: string];
type StartedService = Pick<Service, 'baseUrl' | 'url' | 'metricsUrl' | 'chains'>;

/** Says what is ready, what cannot work, and where everything is. */
export function formatStartReport(service: StartedService, reports: readonly ChainReport[], settings: Settings) {
  const { baseUrl } = service;
  const isReady = reports.every(report => report.isReady);
  const doctor = `Not everything works. ${commandFor('operator', 'doctor')} says what to do.`;
  const demo = `${commandFor('demo').padEnd(DEMO_WIDTH)} runs a paid job from start to end, in a second terminal`;
  const next = [
    // The demo pays with play money.
    ...(settings.chain === 'dev' ? [demo] : []),
    `curl ${baseUrl}/api/roles`,
    `curl -X POST ${baseUrl}/api/quickstart -H 'content-type: application/json' -d '{"kind":"translator"}'`,
  ];
  const blocks = [
    addressRows(service),
    storeRows(settings),
    [...moneyRows(service, settings), ...chainRows(reports, settings)],
  ];
  return [
    '',
    'Agent Job Network is running.',
    ...blocks.flatMap(rows => ['', ...rows.map(([name, text]) => `  ${name.padEnd(NAME_WIDTH)}${text}`)]),
    '',
    ...(isReady ? [] : [doctor, '']),
    'Try next:',
    ...next.map(line => `  ${line}`),
    '',
  ].join('\n');
}

const addressRows = ({ baseUrl, url, metricsUrl }: StartedService): Row[] => [
  ['address', baseUrl],
  ...(url === baseUrl ? [] : [['listens', url] as const]),
  ['page', baseUrl],
  ['mcp', `${baseUrl}/mcp`],
  ['api', `${baseUrl}/docs`],
  ['status', `${baseUrl}/status`],
  ...(metricsUrl === null ? [] : [['metrics', `${metricsUrl}/metrics`] as const]),
];

function storeRows(settings: Settings): Row[] {
  const { eventLog, documents, vault } = describeStores(settings);
  return [
    ['log', eventLog],
    ['documents', documents],
    ['keys', vault],
    ['data', shownPath(settings.dataDir)],
  ];
}

function moneyRows({ chains }: StartedService, { chain, houseWalletKeyFile }: Settings): Row[] {
  const hasHouse = chain === 'dev' || houseWalletKeyFile !== null;
  return [
    ['money', chain === 'dev' ? 'play money, on nodes of this machine (CHAIN=dev)' : `real money (CHAIN=${chain})`],
    ['wallet', `${chains.settings.serviceWallet} gets the fees`],
    ...(hasHouse ? [] : [['house', 'cannot pay wages: HOUSE_WALLET_KEY_FILE is not set.'] as const]),
  ];
}

function chainRows(reports: readonly ChainReport[], settings: Settings): Row[] {
  const configured = configuredRails(settings).map(({ short }) => short);
  const off = RAILS.filter(({ short }) => !configured.includes(short));
  return [
    ...reports.flatMap(({ name, verdict, parts }): Row[] => [
      [name, verdict],
      ...parts.map(([part, text]): Row => [`  ${part}`, text]),
    ]),
    ...off.map(({ short, token }): Row => {
      const setting = `${short.toUpperCase()}_RPC_URL`;
      return [short, `off: ${setting} is not set, so there are no payments in ${token}.`];
    }),
  ];
}
