import { computeAddress } from 'ethers';
import { AgentClient } from '#libs/client/index.js';
import { houseSeed } from '#libs/features/identity/house-muse.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { DEV_HOUSE_KEY } from '#libs/payments/devchain/accounts.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { resolveCallAddress, noServiceMessage } from '#libs/setup/address-file.js';
import { isServiceListening } from '#libs/setup/service-probe.js';
import { requireChainKind, requireMessageTag } from '#libs/setup/pinned-settings.js';
import { openVault } from '#libs/setup/store-adapters.js';
import { readHouseWalletKey } from '#libs/setup/key-files.js';
import type { Settings } from '#libs/setup/settings.js';
import { requireStores, useStore } from './stores.js';

const PROBE_TIMEOUT_MS = 10 * SECOND_MS;
/** Spending limit in USD, per payment and in total, of one command. */
const WAGE_USD_MAX = '1000000';

/** Returns undefined if no key is set and the chain is a real one. */
function houseWalletKey(settings: Settings): string | undefined {
  return readHouseWalletKey(settings) ?? (settings.chain === 'dev' ? DEV_HOUSE_KEY : undefined);
}

/** A client of the running service that signs with the house's key. Throws if the service does not answer. */
export async function houseClient(settings: Settings): Promise<AgentClient> {
  requireStores(settings);
  const callAddress = resolveCallAddress(settings);
  if (!(await isServiceListening(callAddress.address, PROBE_TIMEOUT_MS)))
    throw new Error(noServiceMessage(callAddress));
  return useStore(openVault(settings), async vault => {
    await requireMessageTag(vault, settings.messageTag);
    await requireChainKind(vault, settings.chain);
    const wallet = houseWalletKey(settings);
    const clock = clockOf(settings);
    return AgentClient.withKey(callAddress.address, await houseSeed(vault), {
      museId: SYSTEM_ACCOUNT_ID,
      tag: settings.messageTag,
      now: () => clock.now(),
      ...(settings.baseUrl !== null && { origin: settings.baseUrl }),
      spendingCapUsd: { perPayment: WAGE_USD_MAX, total: WAGE_USD_MAX },
      ...(wallet !== undefined && { wallet }),
    });
  });
}

/** Funds the fixed wallet of the house on a development chain before it pays. */
export async function fillDevWallet(settings: Settings, house: AgentClient): Promise<void> {
  if (settings.chain === 'dev' && !settings.houseWalletKeyFile)
    await house.faucet({ wallet: computeAddress(DEV_HOUSE_KEY) });
}
