import { readRules } from '#libs/platform/limits/rules.js';
import { eventstoreOrNull } from './eventstore-address.js';
import * as read from './setting.js';
import type { Setting } from './setting.js';

const setting = <T>(name: string, standard: string, meaning: string, reader: (text: string) => T): Setting<T> => ({
  name,
  standard,
  meaning,
  read: reader,
});

export const AS_DOCUMENTS = 'as DOCUMENTS';
const AS_CHAIN = 'as CHAIN';

/** Every setting. `README.md` shows this table; a test compares the two. */
export const SETTINGS = {
  port: setting('PORT', '3000', 'where the gateway listens; `0` takes a free port, which is printed', read.port),
  host: setting('HOST', '127.0.0.1', 'the address it listens on; `0.0.0.0` and `::` are every address', read.text),
  baseUrl: setting(
    'BASE_URL',
    '',
    'the public address, in offers, records and links; `http://HOST:PORT` without it, and needed where `HOST` is every address and `CHAIN` is not `dev`',
    read.addressOrNull,
  ),
  dataDir: setting(
    'DATA_DIR',
    './data',
    'everything the embedded stores and keys keep; made with mode 0700',
    read.text,
  ),
  eventLog: setting(
    'EVENT_LOG',
    'sqlite',
    'the event log: `sqlite` (`DATA_DIR/events.db`) or `eventstoredb`',
    read.oneOf('sqlite', 'eventstoredb'),
  ),
  eventstoreUrl: setting(
    'EVENTSTORE_URL',
    '',
    '`esdb://host:2113?tls=false` and all its options, credentials too (`kurrentdb://` and `kdb://` say the same): EventStoreDB or KurrentDB, 23.10 or later',
    eventstoreOrNull,
  ),
  documents: setting(
    'DOCUMENTS',
    'sqlite',
    'the read models and short-lived state: `sqlite` or `mongodb`',
    read.oneOf('sqlite', 'mongodb'),
  ),
  mongodbUrl: setting(
    'MONGODB_URL',
    '',
    '`mongodb://host:27017/name?replicaSet=rs0` and all its options: a replica set, of which one member is enough',
    read.mongodbOrNull,
  ),
  mongodbPasswordFile: setting(
    'MONGODB_PASSWORD_FILE',
    '',
    'the password of the user in `MONGODB_URL`, where the address names a user without one: one line',
    read.textOrNull,
  ),
  vault: setting(
    'VAULT',
    AS_DOCUMENTS,
    'where keys are kept: `sqlite` (`DATA_DIR/vault.db`) or `mongodb`',
    read.oneOf(AS_DOCUMENTS, 'sqlite', 'mongodb'),
  ),
  chain: setting('CHAIN', 'dev', '`dev` (local nodes started with the service) or `rpc` (own relayer)', read.chain),
  facilitatorUrl: setting(
    'FACILITATOR_URL',
    '',
    'a facilitator of x402 elsewhere; not built, so not taken',
    read.noFacilitator,
  ),
  devChainPorts: setting(
    'DEV_CHAIN_PORTS',
    '8545,8546',
    'ports of the development nodes for chains 8453 and 4663; `0,0` takes free ones',
    read.ports,
  ),
  baseRpc: setting(
    'BASE_RPC_URL',
    '',
    'RPC addresses of chain 8453 for `CHAIN=rpc`, comma separated, tried in order',
    read.rpcAddresses,
  ),
  robinhoodRpc: setting('ROBINHOOD_RPC_URL', '', 'the same for chain 4663', read.rpcAddresses),
  baseBrowserRpc: setting(
    'BASE_BROWSER_RPC',
    '',
    'the address of a node of chain 8453 that the browsers of readers may ask: pages check payments there, and their policy names its origin; without it they ask the wallet of the reader alone',
    read.browserRpcOrNull,
  ),
  robinhoodBrowserRpc: setting('ROBINHOOD_BROWSER_RPC', '', 'the same for chain 4663', read.browserRpcOrNull),
  v1Rails: setting(
    'X402_V1_RAILS',
    'registry',
    'which rails an offer of x402 version 1 lists: those with a name in its registry (`registry`), or `all`, which clients that do not know a name refuse',
    read.oneOf('registry', 'all'),
  ),
  baseConfirmations: setting(
    'BASE_CONFIRMATIONS',
    '1',
    'blocks that a settlement on chain 8453 waits for before it is answered',
    read.count,
  ),
  robinhoodConfirmations: setting('ROBINHOOD_CONFIRMATIONS', '1', 'the same for chain 4663', read.count),
  baseFinality: setting(
    'BASE_FINALITY',
    '',
    'from when on a settlement on chain 8453 is not looked at again, and an expiry or a use is believed: `safe` (what the chain calls so) or a number of blocks; `safe` without it, with `CHAIN=dev` 1',
    read.finalityOrNull,
  ),
  robinhoodFinality: setting('ROBINHOOD_FINALITY', '', 'the same for chain 4663', read.finalityOrNull),
  relayerKeyFile: setting(
    'RELAYER_KEY_FILE',
    '',
    'keys of the accounts that send transactions (`CHAIN=rpc`): a line each, `0x` and 64 hex digits, in one file or several, comma separated',
    read.textOrNull,
  ),
  serviceWallet: setting(
    'SERVICE_WALLET',
    '',
    'where fees and prices go; with `CHAIN=dev` a fixed address without it',
    read.walletOrNull,
  ),
  issuerKeyFile: setting(
    'ISSUER_KEY_FILE',
    '',
    'imports an ed25519 key on first start, else one is made; it lives in the vault',
    read.textOrNull,
  ),
  messageTag: setting(
    'MESSAGE_TAG',
    'service-v1',
    'first line of the signed message; what is signed first decides it for its log',
    read.pattern(/^[a-z0-9-]{1,40}$/, '1 to 40 of a-z, 0-9 and -'),
  ),
  tokenPrefix: setting(
    'TOKEN_PREFIX',
    'service_tok_',
    'how new bearer tokens begin',
    read.pattern(/^[a-z0-9_]{1,40}$/, '1 to 40 of a-z, 0-9 and _'),
  ),
  tokenDays: setting(
    'TOKEN_DAYS',
    '365',
    'for how many days a new bearer token is valid; those that were issued keep their end',
    read.days,
  ),
  siblingUrl: setting(
    'SIBLING_URL',
    '',
    'where `muse_` identities are looked up, at `<address>/api/identity/<muse_id>`; without it and `SIBLING_FILE` there are none but those that are known here',
    read.siblingOrNull,
  ),
  siblingFile: setting(
    'SIBLING_FILE',
    '',
    'the same from a JSON file instead: an array of `{muse_id, public_key, name, avatar_url, bio}`; a change of it counts ten minutes later at most',
    read.textOrNull,
  ),
  mailDomain: setting(
    'MAIL_DOMAIN',
    'mail.invalid',
    'domain of issued addresses',
    read.pattern(/^[a-z0-9.-]{1,100}$/, 'a domain name'),
  ),
  boards: setting(
    'BOARDS',
    'general,dev,jobs,show',
    'the boards of the feed: comma separated slugs, each with `=` and a title where that is another word',
    read.boards,
  ),
  securityContact: setting(
    'SECURITY_CONTACT',
    '',
    'whom to tell of a weakness of this deployment: `mailto:`, `https:` or `tel:`; shown at `/.well-known/security.txt`; without it the mailbox `security` at `MAIL_DOMAIN`',
    read.contactOrNull,
  ),
  houseRoles: setting(
    'HOUSE_ROLES',
    'roles.json',
    "the file of the house's roles: one that is named must be there; else it is looked for in `DATA_DIR` and where the service is started, and without it the house's roles stay as they are",
    read.text,
  ),
  houseWalletKeyFile: setting(
    'HOUSE_WALLET_KEY_FILE',
    '',
    'key of the account that the house pays from; with `CHAIN=dev` a fixed key without it',
    read.textOrNull,
  ),
  driftCheckSeconds: setting(
    'DRIFT_CHECK_SECONDS',
    '600',
    "how long a delivery's comparison is believed",
    read.wholeNumber,
  ),
  rateLimits: setting(
    'RATE_LIMITS',
    AS_CHAIN,
    '`on`, `dev` (600 new identities an hour for loopback addresses; the default with `CHAIN=dev`), `off` (refused when `CHAIN` is not `dev`), or a JSON file `{"<limit>": {"points": n, "seconds": s}}` that overrides single limits, by the names of `GET /api/limits`',
    text => (text === AS_CHAIN ? null : readRules(text)),
  ),
  fetchAllow: setting(
    'FETCH_ALLOW',
    '',
    'comma separated `host:port` that may be fetched although private or plain http; refused when `CHAIN` is not `dev`, where the default is `127.0.0.1:4321`',
    read.hosts,
  ),
  testClockFile: setting(
    'TEST_CLOCK_FILE',
    '',
    'a file with an offset in ms that is added to the clock: for tests, refused when `CHAIN` is not `dev`',
    read.textOrNull,
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    '0',
    'number of proxies in front: the client is the address that the outermost of them saw',
    read.wholeNumber,
  ),
  metricsPort: setting(
    'METRICS_PORT',
    '',
    'where the process answers `GET /metrics` (Prometheus) and `GET /health`; `0` takes a free port; off without it',
    read.portOrNull,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'structured JSON lines on stderr, pretty on a terminal',
    read.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
};
