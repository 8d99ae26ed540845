import { computeAddress } from 'ethers';
import { AgentClient } from '#libs/client/index.js';
import { houseSeed } from '#libs/features/identity/house-muse.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { DEV_HOUSE_KEY } from '#libs/payments/devchain/accounts.js';
import { resolveCallAddress } from '#libs/setup/address-file.js';
import { isServiceListening } from '#libs/setup/service-probe.js';
import { requireChainKind } from '#libs/setup/chain-kind.js';
import { openVault } from '#libs/setup/store-adapters.js';
import { readHouseWalletKey } from '#libs/setup/key-files.js';
import { requireMessageTag } from '#libs/setup/message-tag.js';
import type { Settings } from '#libs/setup/settings.js';
import { noServiceMessage } from '#libs/setup/no-service-message.js';
import { requireStores } from './stores.js';

const PROBE_TIMEOUT_MS = 10 * SECOND_MS;
/** The most that the house pays at once and in all with one command, in USD. */
const WAGE_USD_MAX = '1000000';

/** What the house pays from; undefined where nothing is set and the chain is a real one. */
function houseWalletKey(settings: Settings): string | undefined {
  return readHouseWalletKey(settings) ?? (settings.chain === 'dev' ? DEV_HOUSE_KEY : undefined);
}

/** The house as an agent of the running service: it signs with the key that the vault holds. Throws where none answers. */
export async function houseClient(settings: Settings): Promise<AgentClient> {
  requireStores(settings);
  const called = resolveCallAddress(settings);
  if (!(await isServiceListening(called.address, PROBE_TIMEOUT_MS))) throw new Error(noServiceMessage(called));
  const vault = await openVault(settings);
  try {
    await requireMessageTag(vault, settings.messageTag);
    await requireChainKind(vault, settings.chain);
    const wallet = houseWalletKey(settings);
    return AgentClient.withKey(called.address, await houseSeed(vault), {
      museId: SYSTEM_ACCOUNT_ID,
      tag: settings.messageTag,
      ...(settings.baseUrl !== null && { origin: settings.baseUrl }),
      spendingCapUsd: { perPayment: WAGE_USD_MAX, total: WAGE_USD_MAX },
      ...(wallet !== undefined && { wallet }),
    });
  } finally {
    await vault.close();
  }
}

/** On a development chain the fixed wallet of the house is filled before it pays. */
export async function fillDevWallet(settings: Settings, house: AgentClient): Promise<void> {
  if (settings.chain === 'dev' && !settings.houseWalletKeyFile)
    await house.faucet({ wallet: computeAddress(DEV_HOUSE_KEY) });
}
