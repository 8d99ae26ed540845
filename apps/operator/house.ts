import { computeAddress } from 'ethers';
import { AgentClient } from '#libs/client/index.js';
import { houseSeed } from '#libs/features/identity/house-muse.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import { DEV_HOUSE_KEY } from '#libs/payments/devchain/accounts.js';
import { calledAt } from '#libs/setup/address-file.js';
import { answersAt } from '#libs/setup/answering.js';
import { mustBeItsChainKind } from '#libs/setup/chain-kind.js';
import { openVault } from '#libs/setup/chosen-stores.js';
import { houseWalletKeyOf } from '#libs/setup/key-files.js';
import { mustBeItsTag } from '#libs/setup/message-tag.js';
import type { Settings } from '#libs/setup/settings.js';
import { nobodyAnswers } from '#libs/setup/nobody-answers.js';
import { mustBeThere } from './stores.js';

const ANSWERS_WITHIN_MS = 10 * SECOND_MS;
/** The most that the house pays at once and in all with one command, in USD. */
const WAGE_USD_MAX = '1000000';

/** What the house pays from; undefined where nothing is set and the chain is a real one. */
function walletKey(settings: Settings): string | undefined {
  return houseWalletKeyOf(settings) ?? (settings.chain === 'dev' ? DEV_HOUSE_KEY : undefined);
}

/** The house as an agent of the running service: it signs with the key that the vault holds. Throws where none answers. */
export async function houseClient(settings: Settings): Promise<AgentClient> {
  mustBeThere(settings);
  const called = calledAt(settings);
  if (!(await answersAt(called.address, ANSWERS_WITHIN_MS))) throw new Error(nobodyAnswers(called));
  const vault = await openVault(settings);
  try {
    await mustBeItsTag(vault, settings.messageTag);
    await mustBeItsChainKind(vault, settings.chain);
    const wallet = walletKey(settings);
    return AgentClient.withKey(called.address, await houseSeed(vault), {
      museId: HOUSE_ID,
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
