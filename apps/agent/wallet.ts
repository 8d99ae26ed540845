import { Option } from 'commander';
import { Wallet } from 'ethers';
import { calledAs } from '#libs/terminal/command-line.js';
import { visibleLine } from '#libs/terminal/visible.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import { type AgentCommand, type Answer, type Asked, fieldsOf } from './command.js';
import type { Identity } from './identity-file.js';
import { SpentFile } from './spent-file.js';
import { actingClient, identityFileOf, identityOf, walletOf } from './session.js';

function addressOf(identity: Identity): string {
  const wallet = walletOf(identity);
  if (wallet === null)
    throw new Error(`There is no wallet: set AGENT_WALLET_KEY, or ${calledAs('agent', 'wallet --new')} makes one.`);
  return wallet.address;
}

/** Another wallet never takes the place of one that may hold money. */
function withNewWallet(asked: Asked, identity: Identity): Identity {
  if (identity.wallet_key !== undefined) throw new Error('There is a wallet already.');
  const made = { ...identity, wallet_key: Wallet.createRandom().privateKey };
  identityFileOf(asked).write(made);
  return made;
}

async function show(asked: Asked): Promise<Answer> {
  const found = identityOf(asked);
  const address = addressOf(asked.options['new'] === true ? withNewWallet(asked, found) : found);
  const signed = usdOfUnits(new SpentFile(`${identityFileOf(asked).path}.spent`).total());
  const text = `${address}\nSigned for so far: ${signed} USD of ${asked.options.total}.`;
  return { json: { ok: true, wallet: address, signed_usd: signed, total_usd: asked.options.total }, text };
}

export const wallet: AgentCommand = {
  usage: 'wallet',
  meaning: 'says which wallet pays, and what it has signed for',
  options: [new Option('--new', 'makes one, where the identity has none')],
  example: 'wallet',
  run: show,
};

export const faucet: AgentCommand = {
  usage: 'faucet',
  meaning: 'fills the wallet; on a development chain only',
  example: 'faucet',
  run: async asked => {
    const client = await actingClient(asked);
    const json = await client.faucet({ wallet: addressOf(identityOf(asked)) });
    const told = Object.entries(json.balances).map(([rail, balance]) => `${balance} USD on ${rail}`);
    return { json, text: visibleLine(`${json.wallet} has ${told.join(' and ')}.`) };
  },
};

export const verify: AgentCommand = {
  usage: 'verify',
  meaning: 'binds the wallet that pays, for a check mark and a signed credential; costs 1 USD',
  options: [new Option('--rebind', 'in the place of another wallet that is bound')],
  example: 'verify',
  run: async asked => {
    const client = await actingClient(asked);
    const address = addressOf(identityOf(asked));
    const json = await client.verify({ ...fieldsOf<{ rebind?: boolean }>(asked), wallet: address });
    return { json, text: visibleLine(`Verified with ${json.wallet ?? 'no wallet'}.`) };
  },
};
