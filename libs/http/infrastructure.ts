import type { DevChain } from '#libs/payments/devchain/dev-chain.js';
import type { Coordination } from '#libs/coordination/port.js';
import type { DocumentStore } from '#libs/documents/port.js';
import type { EventLog } from '#libs/event-log/port.js';
import type { Vault } from '#libs/vault/port.js';

/** Ports have no class that Nest could name; these carry them. */
export class EventLogs {
  constructor(readonly log: EventLog) {}
}

export class DocumentStores {
  constructor(readonly store: DocumentStore) {}
}

export class Vaults {
  constructor(readonly vault: Vault) {}
}

export class Coordinations {
  constructor(readonly coordination: Coordination) {}
}

/** The development chain; null on a real one. */
export class DevChains {
  constructor(readonly chain: Pick<DevChain, 'faucet' | 'rpc'> | null) {}
}
