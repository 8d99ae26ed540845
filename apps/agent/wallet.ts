import { Option } from 'commander';
import { Wallet } from 'ethers';
import { balancesText } from '#libs/terminal/balances-text.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { type AgentCommand, type CommandAnswer, type AgentArguments, requestFields } from './command.js';
import type { Identity } from './identity-file.js';
import { SpentFile } from './spent-file.js';
import { openIdentityFile, requestCommand, requireIdentity, payingWallet } from './session.js';

function walletAddress(identity: Identity): string {
  const wallet = payingWallet(identity);
  if (wallet === null)
    throw new Error(
      `There is no wallet: set AGENT_WALLET_KEY, or create one with ${commandFor('agent', 'wallet --new')}.`,
    );
  return wallet.address;
}

/** Never replaces a wallet, which may hold money. */
function addWallet(args: AgentArguments, identity: Identity): Identity {
  if (identity.wallet_key !== undefined) throw new Error('The identity already has a wallet.');
  const updated = { ...identity, wallet_key: Wallet.createRandom().privateKey };
  openIdentityFile(args).write(updated);
  return updated;
}

async function showWallet(args: AgentArguments): Promise<CommandAnswer> {
  const identity = requireIdentity(args);
  const address = walletAddress(args.options['new'] === true ? addWallet(args, identity) : identity);
  const signed = formatUsdAmount(new SpentFile(`${openIdentityFile(args).path}.spent`).total());
  const text = `${address}\nSigned so far: ${signed} USD of ${args.options.total}.`;
  return { json: { ok: true, wallet: address, signed_usd: signed, total_usd: args.options.total }, text };
}

export const wallet: AgentCommand = {
  usage: 'wallet',
  meaning: 'shows the paying wallet and the sum that it has signed',
  options: [new Option('--new', 'creates a wallet, if the identity has none')],
  example: 'wallet',
  run: showWallet,
};

export const faucet = requestCommand({
  usage: 'faucet',
  meaning: 'funds the wallet; only on a development chain',
  example: 'faucet',
  act: (client, args) => client.faucet({ wallet: walletAddress(requireIdentity(args)) }),
  describe: balancesText,
});

export const verify = requestCommand({
  usage: 'verify',
  meaning: 'binds the paying wallet, for a check mark and a signed credential; costs 1 USD',
  options: [new Option('--rebind', 'replaces the bound wallet')],
  example: 'verify',
  act: (client, args) =>
    client.verify({ ...requestFields<{ rebind?: boolean }>(args), wallet: walletAddress(requireIdentity(args)) }),
  describe: ({ wallet }) => `Verified with ${wallet ?? 'no wallet'}.`,
});
