import { readLimitRules } from '#libs/platform/limits/limit-table.js';
import { parseEventstoreUrl } from './eventstore-address.js';
import * as read from './setting.js';
import type { Setting } from './setting.js';

const setting = <T>(name: string, defaultText: string, meaning: string, reader: (text: string) => T): Setting<T> => ({
  name,
  defaultText,
  meaning,
  read: reader,
});

export const AS_DOCUMENTS = 'as DOCUMENTS';
const AS_CHAIN = 'as CHAIN';

/** All settings. A test compares them with the tables of `docs/settings.md`. */
export const SETTINGS = {
  port: setting('PORT', '3000', 'Port of the gateway; `0` takes a free port and prints it', read.port),
  host: setting('HOST', '127.0.0.1', 'Address of the gateway; `0.0.0.0` and `::` are all addresses', read.text),
  baseUrl: setting(
    'BASE_URL',
    '',
    'Public address in offers, records and links, by default `http://HOST:PORT`; required if `HOST` is all addresses and `CHAIN` is not `dev`',
    read.addressOrNull,
  ),
  dataDir: setting('DATA_DIR', './data', 'Folder of the embedded stores and keys; created with mode 0700', read.text),
  eventLog: setting(
    'EVENT_LOG',
    'sqlite',
    'Event log: `sqlite` (`DATA_DIR/events.db`) or `eventstoredb`',
    read.oneOf('sqlite', 'eventstoredb'),
  ),
  eventstoreUrl: setting(
    'EVENTSTORE_URL',
    '',
    '`esdb://host:2113?tls=false` with options and credentials (or `kurrentdb://`, `kdb://`): EventStoreDB or KurrentDB, 23.10 or later',
    parseEventstoreUrl,
  ),
  documents: setting(
    'DOCUMENTS',
    'sqlite',
    'Read models and short-lived state: `sqlite` or `mongodb`',
    read.oneOf('sqlite', 'mongodb'),
  ),
  mongodbUrl: setting(
    'MONGODB_URL',
    '',
    '`mongodb://host:27017/name?replicaSet=rs0` with options: a replica set of one or more members',
    read.mongodbOrNull,
  ),
  mongodbPasswordFile: setting(
    'MONGODB_PASSWORD_FILE',
    '',
    'File with the password, on one line, of the user that `MONGODB_URL` names without one',
    read.textOrNull,
  ),
  vault: setting(
    'VAULT',
    AS_DOCUMENTS,
    'Store of the keys: `sqlite` (`DATA_DIR/vault.db`) or `mongodb`',
    read.oneOf(AS_DOCUMENTS, 'sqlite', 'mongodb'),
  ),
  chain: setting(
    'CHAIN',
    'dev',
    '`dev` (starts local nodes with play money) or `rpc` (real chains, own relayer)',
    read.chain,
  ),
  facilitatorUrl: setting(
    'FACILITATOR_URL',
    '',
    'Address of a remote x402 facilitator; refused, because it is not built yet',
    read.noFacilitator,
  ),
  devChainPorts: setting(
    'DEV_CHAIN_PORTS',
    '8545,8546',
    'Ports of the development nodes for chains 8453 and 4663; `0,0` takes free ones',
    read.ports,
  ),
  baseRpc: setting(
    'BASE_RPC_URL',
    '',
    'RPC addresses of chain 8453 for `CHAIN=rpc`, comma separated, tried in order',
    read.rpcAddresses,
  ),
  robinhoodRpc: setting('ROBINHOOD_RPC_URL', '', 'RPC addresses of chain 4663, in the same form', read.rpcAddresses),
  baseBrowserRpc: setting(
    'BASE_BROWSER_RPC',
    '',
    "Public node of chain 8453 with which pages check payments in the reader's browser; without it they use the reader's wallet only",
    read.browserRpcOrNull,
  ),
  robinhoodBrowserRpc: setting(
    'ROBINHOOD_BROWSER_RPC',
    '',
    'Public node of chain 4663 for the same purpose',
    read.browserRpcOrNull,
  ),
  v1Rails: setting(
    'X402_V1_RAILS',
    'registry',
    'Rails in offers of x402 version 1: those with a name in its registry (`registry`), or `all`, which clients refuse if they do not know a name',
    read.oneOf('registry', 'all'),
  ),
  baseConfirmations: setting(
    'BASE_CONFIRMATIONS',
    '1',
    'Blocks to wait for before a settlement on chain 8453 is reported as paid',
    read.count,
  ),
  robinhoodConfirmations: setting('ROBINHOOD_CONFIRMATIONS', '1', 'Blocks to wait for on chain 4663', read.count),
  baseFinality: setting(
    'BASE_FINALITY',
    '',
    'Depth at which a settlement, use or expiry on chain 8453 is final: `safe` (as the chain reports it) or a number of blocks; default `safe`, with `CHAIN=dev` 1',
    read.finalityOrNull,
  ),
  robinhoodFinality: setting(
    'ROBINHOOD_FINALITY',
    '',
    'Depth of finality on chain 4663, in the same form',
    read.finalityOrNull,
  ),
  relayerKeyFile: setting(
    'RELAYER_KEY_FILE',
    '',
    'Keys of the accounts that send transactions (`CHAIN=rpc`): one per line, `0x` and 64 hex digits; several files are comma separated',
    read.textOrNull,
  ),
  serviceWallet: setting(
    'SERVICE_WALLET',
    '',
    'Wallet for fees and prices; with `CHAIN=dev` a fixed address by default',
    read.walletOrNull,
  ),
  issuerKeyFile: setting(
    'ISSUER_KEY_FILE',
    '',
    'ed25519 key to import into the vault on the first start; by default a new one is made',
    read.textOrNull,
  ),
  messageTag: setting(
    'MESSAGE_TAG',
    'service-v1',
    'First line of the signed message; a log keeps the tag of its first signed message',
    read.pattern(/^[a-z0-9-]{1,40}$/, '1 to 40 of a-z, 0-9 and -'),
  ),
  tokenPrefix: setting(
    'TOKEN_PREFIX',
    'service_tok_',
    'Prefix of new bearer tokens',
    read.pattern(/^[a-z0-9_]{1,40}$/, '1 to 40 of a-z, 0-9 and _'),
  ),
  tokenDays: setting(
    'TOKEN_DAYS',
    '365',
    'Lifetime of new bearer tokens in days; earlier tokens keep theirs',
    read.days,
  ),
  siblingUrl: setting(
    'SIBLING_URL',
    '',
    'Address of the sibling network for `muse_` identities (`<address>/api/identity/<muse_id>`); without it and `SIBLING_FILE` only known ones work',
    read.siblingOrNull,
  ),
  siblingFile: setting(
    'SIBLING_FILE',
    '',
    'JSON file instead of `SIBLING_URL`: an array of `{muse_id, public_key, name, avatar_url, bio}`; changes apply within ten minutes',
    read.textOrNull,
  ),
  mailDomain: setting(
    'MAIL_DOMAIN',
    'mail.invalid',
    'Domain of issued mail addresses',
    read.pattern(/^[a-z0-9.-]{1,100}$/, 'a domain name'),
  ),
  boards: setting(
    'BOARDS',
    'general,dev,jobs,show',
    'Boards of the feed: comma separated slugs, each with an optional title (`slug=Title`)',
    read.boards,
  ),
  securityContact: setting(
    'SECURITY_CONTACT',
    '',
    'Contact for security reports: `mailto:`, `https:` or `tel:`, shown at `/.well-known/security.txt`; default `security@MAIL_DOMAIN`',
    read.contactOrNull,
  ),
  houseRoles: setting(
    'HOUSE_ROLES',
    'roles.json',
    "File with the house's roles; a named file must exist, the default is searched in `DATA_DIR` and the working folder; without a file the roles stay unchanged",
    read.text,
  ),
  houseWalletKeyFile: setting(
    'HOUSE_WALLET_KEY_FILE',
    '',
    "Key of the house's wallet; with `CHAIN=dev` a fixed key by default",
    read.textOrNull,
  ),
  driftCheckSeconds: setting(
    'DRIFT_CHECK_SECONDS',
    '600',
    'Seconds until a delivery is compared with its page again',
    read.wholeNumber,
  ),
  rateLimits: setting(
    'RATE_LIMITS',
    AS_CHAIN,
    '`on`, `dev` (600 new identities an hour for loopback addresses; default with `CHAIN=dev`), `off` (refused if `CHAIN` is not `dev`), or a JSON file `{"<limit>": {"points": n, "seconds": s}}` that changes single limits by their names in `GET /api/limits`',
    text => (text === AS_CHAIN ? null : readLimitRules(text)),
  ),
  fetchAllow: setting(
    'FETCH_ALLOW',
    '',
    'Comma separated `host:port` that may be fetched even if private or without TLS; refused if `CHAIN` is not `dev`, else `127.0.0.1:4321` by default',
    read.hosts,
  ),
  testClockFile: setting(
    'TEST_CLOCK_FILE',
    '',
    'File with an offset in ms for the clock, for tests; refused if `CHAIN` is not `dev`',
    read.textOrNull,
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    '0',
    'Number of reverse proxies in front; the client address is the one that the outermost proxy saw',
    read.wholeNumber,
  ),
  metricsPort: setting(
    'METRICS_PORT',
    '',
    'Port of `GET /metrics` (Prometheus) and `GET /health`; `0` takes a free one; off by default',
    read.portOrNull,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'Level of the log on stderr: JSON lines, formatted on a terminal',
    read.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
};
