import { readLimitRules } from '#libs/platform/limits/limit-table.js';
import { parseEventstoreUrl } from './eventstore-address.js';
import * as read from './setting.js';
import type { Setting } from './setting.js';

const setting = <T>(name: string, defaultText: string, read: (text: string) => T): Setting<T> => ({
  name,
  defaultText,
  read,
});

export const AS_DOCUMENTS = 'as DOCUMENTS';
const AS_CHAIN = 'as CHAIN';

/** All settings. The tables of `docs/settings.md` explain them; a test compares names and defaults. */
export const SETTINGS = {
  port: setting('PORT', '3000', read.port),
  host: setting('HOST', '127.0.0.1', read.text),
  baseUrl: setting('BASE_URL', '', read.addressOrNull),
  dataDir: setting('DATA_DIR', './data', read.text),
  eventLog: setting('EVENT_LOG', 'sqlite', read.oneOf('sqlite', 'eventstoredb')),
  eventstoreUrl: setting('EVENTSTORE_URL', '', parseEventstoreUrl),
  documents: setting('DOCUMENTS', 'sqlite', read.oneOf('sqlite', 'mongodb')),
  mongodbUrl: setting('MONGODB_URL', '', read.mongodbOrNull),
  mongodbPasswordFile: setting('MONGODB_PASSWORD_FILE', '', read.textOrNull),
  vault: setting('VAULT', AS_DOCUMENTS, read.oneOf(AS_DOCUMENTS, 'sqlite', 'mongodb')),
  chain: setting('CHAIN', 'dev', read.chain),
  facilitatorUrl: setting('FACILITATOR_URL', '', read.noFacilitator),
  devChainPorts: setting('DEV_CHAIN_PORTS', '8545,8546', read.ports),
  baseRpc: setting('BASE_RPC_URL', '', read.rpcAddresses),
  robinhoodRpc: setting('ROBINHOOD_RPC_URL', '', read.rpcAddresses),
  baseBrowserRpc: setting('BASE_BROWSER_RPC', '', read.browserRpcOrNull),
  robinhoodBrowserRpc: setting('ROBINHOOD_BROWSER_RPC', '', read.browserRpcOrNull),
  v1Rails: setting('X402_V1_RAILS', 'registry', read.oneOf('registry', 'all')),
  baseConfirmations: setting('BASE_CONFIRMATIONS', '1', read.count),
  robinhoodConfirmations: setting('ROBINHOOD_CONFIRMATIONS', '1', read.count),
  baseFinality: setting('BASE_FINALITY', '', read.finalityOrNull),
  robinhoodFinality: setting('ROBINHOOD_FINALITY', '', read.finalityOrNull),
  relayerKeyFile: setting('RELAYER_KEY_FILE', '', read.textOrNull),
  serviceWallet: setting('SERVICE_WALLET', '', read.walletOrNull),
  issuerKeyFile: setting('ISSUER_KEY_FILE', '', read.textOrNull),
  messageTag: setting('MESSAGE_TAG', 'service-v1', read.pattern(/^[a-z0-9-]{1,40}$/, '1 to 40 of a-z, 0-9 and -')),
  tokenPrefix: setting('TOKEN_PREFIX', 'service_tok_', read.pattern(/^[a-z0-9_]{1,40}$/, '1 to 40 of a-z, 0-9 and _')),
  tokenDays: setting('TOKEN_DAYS', '365', read.days),
  siblingUrl: setting('SIBLING_URL', '', read.siblingOrNull),
  siblingFile: setting('SIBLING_FILE', '', read.textOrNull),
  mailDomain: setting('MAIL_DOMAIN', 'mail.invalid', read.pattern(/^[a-z0-9.-]{1,100}$/, 'a domain name')),
  boards: setting('BOARDS', 'general,dev,jobs,show', read.boards),
  securityContact: setting('SECURITY_CONTACT', '', read.contactOrNull),
  houseRoles: setting('HOUSE_ROLES', 'roles.json', read.text),
  houseWalletKeyFile: setting('HOUSE_WALLET_KEY_FILE', '', read.textOrNull),
  driftCheckSeconds: setting('DRIFT_CHECK_SECONDS', '600', read.wholeNumber),
  rateLimits: setting('RATE_LIMITS', AS_CHAIN, text => (text === AS_CHAIN ? null : readLimitRules(text))),
  fetchAllow: setting('FETCH_ALLOW', '', read.hosts),
  testClockFile: setting('TEST_CLOCK_FILE', '', read.textOrNull),
  trustProxy: setting('TRUST_PROXY', '0', read.wholeNumber),
  metricsPort: setting('METRICS_PORT', '', read.portOrNull),
  logLevel: setting('LOG_LEVEL', 'info', read.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
};
