import { TaskNames } from '#libs/channels/a2a/task-names.js';
import { BrowserSettings } from '#libs/channels/pages/shell/browser-settings.js';
import { Claims } from '#libs/claims/claims.js';
import { Coordination } from '#libs/platform/coordination/port.js';
import { DocumentStore } from '#libs/documents/document-store.port.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { BoardSettings } from '#libs/features/feed/feed-page.js';
import { IdentitySettings } from '#libs/features/identity/issued-email.js';
import { SecurityContactSettings } from '#libs/features/texts/security-contact.settings.js';
import { DriftSettings } from '#libs/features/deliveries/drift-checker.js';
import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { CallerAddresses } from '#libs/http/limiting/caller-addresses.js';
import { StartupGate } from '#libs/http/startup-gate.js';
import { RequestMeter } from '#libs/http/request-meter.js';
import { Routes } from '#libs/http/routes.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { FaucetAccess } from '#libs/payments/devchain/faucet.js';
import { EscrowRails } from '#libs/payments/escrow-rails.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { PaymentsHealth } from '#libs/payments/payments.health.js';
import { Payments } from '#libs/payments/payments.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { ShutdownSignal } from '#libs/http/long-responses.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { browserRpcAddresses } from '#libs/setup/configured-rails.js';
import { Siblings } from '#libs/siblings/siblings.js';
import { Vault } from '#libs/platform/vault/port.js';
import { EffectRegistry, ReactionRegistry } from '#libs/endpoints/registries.js';
import { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import type { Core } from './core.js';
import { ROUTES } from './routes.js';
import type { Providers } from './service.module.js';

/** Dependencies of the features, each under its class. */
export function createProviders(core: Core): Providers {
  const { settings, stores, chains, claims, clock, models, payments, issuer, address, limits } = core;
  const { siblings, opening, stopping } = core;
  return [
    [Clock, clock],
    [Journal, stores.journal],
    [Codec, stores.codec],
    [Integers, stores.integers],
    [ServiceCommands, new ServiceCommands(stores.journal, clock, stores.integers)],
    [Claims, claims],
    [ReadModels, models],
    [EventLog, stores.log],
    [DocumentStore, stores.documents],
    [Vault, stores.vault],
    [Coordination, stores.coordination],
    [DriftSettings, new DriftSettings(settings.driftCheckSeconds * SECOND_MS)],
    [FaucetAccess, new FaucetAccess(chains.dev)],
    [TokenMint, new TokenMint(stores.tokenSecret, settings.tokenPrefix, settings.tokenDays)],
    [IdentitySettings, new IdentitySettings(settings.mailDomain)],
    [BoardSettings, new BoardSettings(settings.boards)],
    [SecurityContactSettings, new SecurityContactSettings(settings.securityContact, settings.mailDomain)],
    [PaymentSettings, chains.settings],
    [EscrowRails, chains.escrowRails],
    [ReceiptLinks, new ReceiptLinks(chains.settings.playMoney, address)],
    [Payments, payments],
    [PaymentsHealth, new PaymentsHealth(chains.chains, payments, clock, stores.vault)],
    [SafeFetch, new SafeFetch({ allow: settings.fetchAllow, isDevelopment: settings.chain === 'dev', clock })],
    [Issuer, issuer],
    [ServiceAddress, new ServiceAddress(address)],
    [EffectRegistry, new EffectRegistry()],
    [ReactionRegistry, new ReactionRegistry()],
    [ApiDescription, new ApiDescription(address, settings.messageTag, ROUTES)],
    [BrowserSettings, browserSettings(core)],
    [Routes, ROUTES],
    [RequestMeter, new RequestMeter()],
    [LimitTable, limits.table],
    [CallerAddresses, limits.callers],
    [Siblings, siblings],
    [StartupGate, opening],
    [ShutdownSignal, new ShutdownSignal(stopping)],
    [TaskNames, new TaskNames(stores.coordination, clock, stores.answerSecret)],
  ];
}

/** Pages ask the nodes of a development chain too. */
function browserSettings({ settings, chains }: Core): BrowserSettings {
  const nodes = { ...chains.dev?.rpc, ...browserRpcAddresses(settings) };
  return new BrowserSettings(settings.messageTag, nodes, chains.settings.playMoney);
}
