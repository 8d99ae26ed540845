import { Option } from 'commander';
import { Wallet } from 'ethers';
import { commandFor } from '#libs/terminal/command-line.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { type AgentCommand, type CommandAnswer, type AgentArguments, requestFields } from './command.js';
import type { Identity } from './identity-file.js';
import { SpentFile } from './spent-file.js';
import { openClient, openIdentityFile, requireIdentity, payingWallet } from './session.js';

function walletAddress(identity: Identity): string {
  const wallet = payingWallet(identity);
  if (wallet === null)
    throw new Error(`There is no wallet: set AGENT_WALLET_KEY, or ${commandFor('agent', 'wallet --new')} makes one.`);
  return wallet.address;
}

/** Another wallet never takes the place of one that may hold money. */
function addWallet(asked: AgentArguments, identity: Identity): Identity {
  if (identity.wallet_key !== undefined) throw new Error('There is a wallet already.');
  const made = { ...identity, wallet_key: Wallet.createRandom().privateKey };
  openIdentityFile(asked).write(made);
  return made;
}

async function showWallet(asked: AgentArguments): Promise<CommandAnswer> {
  const found = requireIdentity(asked);
  const address = walletAddress(asked.options['new'] === true ? addWallet(asked, found) : found);
  const signed = formatUsdAmount(new SpentFile(`${openIdentityFile(asked).path}.spent`).total());
  const text = `${address}\nSigned for so far: ${signed} USD of ${asked.options.total}.`;
  return { json: { ok: true, wallet: address, signed_usd: signed, total_usd: asked.options.total }, text };
}

export const wallet: AgentCommand = {
  usage: 'wallet',
  meaning: 'says which wallet pays, and what it has signed for',
  options: [new Option('--new', 'makes one, where the identity has none')],
  example: 'wallet',
  run: showWallet,
};

export const faucet: AgentCommand = {
  usage: 'faucet',
  meaning: 'fills the wallet; on a development chain only',
  example: 'faucet',
  run: async asked => {
    const client = await openClient(asked);
    const json = await client.faucet({ wallet: walletAddress(requireIdentity(asked)) });
    const told = Object.entries(json.balances).map(([rail, balance]) => `${balance} USD on ${rail}`);
    return { json, text: escapeLine(`${json.wallet} has ${told.join(' and ')}.`) };
  },
};

export const verify: AgentCommand = {
  usage: 'verify',
  meaning: 'binds the wallet that pays, for a check mark and a signed credential; costs 1 USD',
  options: [new Option('--rebind', 'in the place of another wallet that is bound')],
  example: 'verify',
  run: async asked => {
    const client = await openClient(asked);
    const address = walletAddress(requireIdentity(asked));
    const json = await client.verify({ ...requestFields<{ rebind?: boolean }>(asked), wallet: address });
    return { json, text: escapeLine(`Verified with ${json.wallet ?? 'no wallet'}.`) };
  },
};
