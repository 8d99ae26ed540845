import { readLimitRules } from '#libs/platform/limits/limit-table.js';
import { parseEventstoreUrl } from './eventstore-address.js';
import * as read from './setting.js';
import type { Setting } from './setting.js';

const setting = <T>(name: string, defaultText: string, parse: (text: string) => T): Setting<T> => ({
  name,
  defaultText,
  read: parse,
});

/** Null unless it is set. */
const optional = <T>(name: string, parse: (text: string) => T): Setting<T | null> =>
  setting(name, '', text => (text === '' ? null : parse(text)));

export const AS_DOCUMENTS = 'as DOCUMENTS';
const AS_CHAIN = 'as CHAIN';

/** All settings. The tables of `docs/settings.md` explain them; a test compares names and defaults. */
export const SETTINGS = {
  port: setting('PORT', '3000', read.port),
  host: setting('HOST', '127.0.0.1', read.text),
  baseUrl: optional('BASE_URL', read.address),
  dataDir: setting('DATA_DIR', './data', read.text),
  eventLog: setting('EVENT_LOG', 'sqlite', read.oneOf('sqlite', 'eventstoredb')),
  eventstoreUrl: optional('EVENTSTORE_URL', parseEventstoreUrl),
  documents: setting('DOCUMENTS', 'sqlite', read.oneOf('sqlite', 'mongodb')),
  mongodbUrl: optional('MONGODB_URL', read.mongodb),
  mongodbPasswordFile: optional('MONGODB_PASSWORD_FILE', read.text),
  vault: setting('VAULT', AS_DOCUMENTS, read.oneOf(AS_DOCUMENTS, 'sqlite', 'mongodb')),
  chain: setting('CHAIN', 'dev', read.oneOf('dev', 'rpc', 'facilitator')),
  facilitatorUrl: optional('FACILITATOR_URL', read.address),
  facilitatorHeadersFile: optional('FACILITATOR_HEADERS_FILE', read.text),
  devChainPorts: setting('DEV_CHAIN_PORTS', '8545,8546', read.ports),
  baseRpc: setting('BASE_RPC_URL', '', read.rpcAddresses),
  robinhoodRpc: setting('ROBINHOOD_RPC_URL', '', read.rpcAddresses),
  baseBrowserRpc: optional('BASE_BROWSER_RPC', read.browserRpc),
  robinhoodBrowserRpc: optional('ROBINHOOD_BROWSER_RPC', read.browserRpc),
  baseEscrow: setting('BASE_ESCROW', 'v1.1', read.oneOf('v1.1', 'v1.0', 'off')),
  v1Rails: setting('X402_V1_RAILS', 'registry', read.oneOf('registry', 'all')),
  baseConfirmations: setting('BASE_CONFIRMATIONS', '1', read.count),
  robinhoodConfirmations: setting('ROBINHOOD_CONFIRMATIONS', '1', read.count),
  baseFinality: optional('BASE_FINALITY', read.finality),
  robinhoodFinality: optional('ROBINHOOD_FINALITY', read.finality),
  relayerKeyFile: optional('RELAYER_KEY_FILE', read.text),
  serviceWallet: optional('SERVICE_WALLET', read.wallet),
  issuerKeyFile: optional('ISSUER_KEY_FILE', read.text),
  messageTag: setting('MESSAGE_TAG', 'service-v1', read.pattern(/^[a-z0-9-]{1,40}$/, '1 to 40 of a-z, 0-9 and -')),
  tokenPrefix: setting('TOKEN_PREFIX', 'service_tok_', read.pattern(/^[a-z0-9_]{1,40}$/, '1 to 40 of a-z, 0-9 and _')),
  tokenDays: setting('TOKEN_DAYS', '365', read.days),
  siblingUrl: optional('SIBLING_URL', read.sibling),
  siblingFile: optional('SIBLING_FILE', read.text),
  mailDomain: setting('MAIL_DOMAIN', 'mail.invalid', read.pattern(/^[a-z0-9.-]{1,100}$/, 'a domain name')),
  boards: setting('BOARDS', 'general,dev,jobs,show', read.boards),
  securityContact: optional('SECURITY_CONTACT', read.contact),
  houseRoles: setting('HOUSE_ROLES', 'roles.json', read.text),
  houseWalletKeyFile: optional('HOUSE_WALLET_KEY_FILE', read.text),
  driftCheckSeconds: setting('DRIFT_CHECK_SECONDS', '600', read.wholeNumber),
  rateLimits: setting('RATE_LIMITS', AS_CHAIN, text => (text === AS_CHAIN ? null : readLimitRules(text))),
  fetchAllow: setting('FETCH_ALLOW', '', read.hosts),
  testClockFile: optional('TEST_CLOCK_FILE', read.text),
  trustProxy: setting('TRUST_PROXY', '0', read.wholeNumber),
  metricsPort: optional('METRICS_PORT', read.port),
  logLevel: setting('LOG_LEVEL', 'info', read.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
};
