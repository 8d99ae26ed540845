import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { Claims } from '#libs/claims/claims.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { StartupGate } from '#libs/http/startup-gate.js';
import { buildBazaarExtensions } from '#libs/http/bazaar.js';
import { pinOrigin } from '#libs/event-log/log-origin.js';
import { Issuer } from '#libs/issuer/issuer.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Metrics } from './metrics/metrics.js';
import type { LimitingDependencies } from '#libs/http/limiting/request-limits.js';
import { PaymentLimits } from '#libs/payments/payment-limits.js';
import { SignedOffers } from '#libs/payments/signed-offers.js';
import { Payments, type PaymentsDependencies } from '#libs/payments/payments.js';
import type { Effect } from '#libs/payments/purchase.js';
import { STORES_CLOSE_MS, waitAtMost } from '#libs/setup/process/stopping.js';
import type { Chains } from '#libs/setup/chains.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { readEd25519Seed } from '#libs/setup/key-files.js';
import type { Settings } from '#libs/setup/settings.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { followHistory } from './log-history.js';
import { createLimiting } from './limits.js';
import { type ChainsOpener, openOwnChains } from './chain-openers.js';
import type { Siblings } from '#libs/siblings/siblings.js';
import { ROUTES } from './routes.js';
import { createSiblings } from './siblings.js';

const NEXT_START = 'The next start makes the documents again from the events that the log has.';

/** Replacements for parts, and callbacks, for tests and other processes. */
export interface Overrides {
  /**
   * Name of this process in leases; by default unique for the run. A process that is alone on its stores keeps its
   * name, so it resumes at once after a kill.
   */
  readonly holder?: string;
  /** Whether no other process uses these stores. This one then counts requests in memory, and writes wait less. */
  readonly isAlone?: boolean;
  /** Aborts on the stop signal, even during the start. */
  readonly stopping?: AbortSignal;
  /** Ends the process with exit code 1, a moment after it has begun to refuse requests. */
  readonly fail?: () => void;
  readonly payments?: Partial<PaymentsDependencies>;
  readonly chains?: (opened: Chains) => Chains | Promise<Chains>;
  readonly stores?: (opened: Stores) => Stores;
  /** Interval of each task that acts on documents once they are due. */
  readonly dueEveryMs?: number;
}

/** All parts below HTTP. */
export interface Core {
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly chains: Chains;
  readonly models: ReadModels;
  readonly claims: Claims;
  readonly issuer: Issuer;
  readonly limits: LimitingDependencies;
  readonly siblings: Siblings;
  readonly payments: Payments;
  /** Effects of paid endpoints; filled once the features are loaded. */
  readonly effects: Effect[];
  /** `baseUrl` is final once a port is taken. */
  readonly address: { baseUrl: string };
  readonly holder: string;
  readonly isAlone: boolean;
  readonly dueEveryMs: number | undefined;
  readonly opening: StartupGate;
  readonly stopping: AbortSignal;
  /** Aborts `stopping`. */
  readonly beginStop: () => void;
  /** Null if metrics are off. */
  readonly metrics: Metrics | null;
}

export async function openCore(
  settings: Settings,
  log: Logger,
  overrides: Overrides = {},
  chains: ChainsOpener = openOwnChains,
): Promise<Core> {
  const clock = clockOf(settings);
  const opened = await openStores(settings, { prepare: stores => followHistory(stores, clock, log) });
  const stores = overrides.stores?.(opened) ?? opened;
  try {
    const { holder = randomUUID(), isAlone = false, dueEveryMs } = overrides;
    void stores.logWentBack.then(({ message }) => {
      log.fatal(`${message} This process ends. ${NEXT_START}`);
      overrides.fail?.();
    });
    const metrics = settings.metricsPort === null ? null : new (await import('./metrics/metrics.js')).Metrics();
    const abort = new AbortController();
    const stopping = overrides.stopping ? AbortSignal.any([overrides.stopping, abort.signal]) : abort.signal;
    // Each open tail and waiting request listens for the stop.
    setMaxListeners(0, stopping);
    const basis = {
      settings,
      log,
      clock,
      stores,
      metrics,
      holder,
      isAlone,
      dueEveryMs,
      opening: new StartupGate(),
      address: { baseUrl: settings.baseUrl ?? '' },
      stopping,
      beginStop: () => abort.abort(),
    };
    return await assemble(basis, overrides, chains);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

type Assembled = 'chains' | 'models' | 'claims' | 'issuer' | 'limits' | 'siblings' | 'payments' | 'effects';
type CoreBasis = Omit<Core, Assembled>;

/** Opens the chains last: development nodes are processes, and a failed start must not leave them behind. */
async function assemble(basis: CoreBasis, overrides: Overrides, openChains: ChainsOpener): Promise<Core> {
  const { settings, log, clock, stores, address } = basis;
  const limits = createLimiting(settings, stores, clock, basis.isAlone);
  const siblings = createSiblings(basis);
  const models = new ReadModels(stores.documents, stores.log, PROJECTIONS);
  await models.open();
  const claims = new Claims(stores.journal, stores.claimStreams, clock);
  const imported = settings.issuerKeyFile && readEd25519Seed('ISSUER_KEY_FILE', settings.issuerKeyFile);
  const issuer = await Issuer.open({ journal: stores.journal, vault: stores.vault, clock, address }, imported || null);
  await pinOrigin(stores.log, stores.vault);
  const opened = await openChains(settings, clock, sentence => log.warn(sentence), stores.vault);
  const chains = (await overrides.chains?.(opened)) ?? opened;
  const effects: Effect[] = [];
  const parts = { ...basis, chains, models, claims, issuer, effects, limits, siblings };
  return { ...parts, payments: createPayments(parts, overrides) };
}

function createPayments(
  { settings, stores, chains, claims, clock, effects, address, log, holder, limits, issuer }: Omit<Core, 'payments'>,
  overrides: Overrides,
): Payments {
  const { journal, coordination, integers } = stores;
  return new Payments({
    journal,
    claims,
    coordination,
    clock,
    integers,
    effects,
    chains: chains.chains,
    ...(limits.table.isEnforced && { limits: new PaymentLimits(limits.limiter, limits.table) }),
    offers: {
      v1Rails: settings.v1Rails,
      playMoney: chains.settings.playMoney,
      extensions: (path: string) => buildBazaarExtensions(ROUTES, path),
      signed: new SignedOffers(issuer, clock),
      get baseUrl() {
        return address.baseUrl;
      },
    },
    signer: issuer,
    log: stores.log,
    vault: stores.vault,
    holder,
    report: (error, payment) => log.error({ err: error, payment }, 'a payment failed and is retried'),
    ...overrides.payments,
  });
}

/** Stops the nodes of a development chain too, which would outlive the process. */
export async function closeCore({ stores, chains }: Core): Promise<void> {
  await waitAtMost(STORES_CLOSE_MS, stores.close());
  await chains.dev?.stop();
}
