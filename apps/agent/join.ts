import { Option } from 'commander';
import { Wallet } from 'ethers';
import {
  AgentClient,
  MESSAGE_TAG,
  type QuickstartFields,
  type RegisterFields,
  SigningKey,
} from '#libs/client/index.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { UsageError } from '#libs/terminal/command-line.js';
import { escapeLine } from '#libs/terminal/print.js';
import { type AgentCommand, type CommandAnswer, type AgentArguments, requestFields } from './command.js';
import type { Identity, IdentityFile } from './identity-file.js';
import { SKILLS, TAG } from './options.js';
import { openIdentityFile, requireReachable, decodeSeed, DEFAULT_SERVICE } from './session.js';

interface JoinOptions extends Pick<QuickstartFields, 'name' | 'headline' | 'skills' | 'payoutAddress'> {
  readonly key?: true;
  readonly wallet?: true;
  readonly tag?: string;
}

function profileFields(args: AgentArguments): QuickstartFields {
  const { key: _k, wallet: _w, tag: _t, ...profile } = requestFields<JoinOptions>(args);
  return profile;
}

/** Stores the key before registering, so that a failed registration can be repeated. */
function prepareIdentity(file: IdentityFile, service: string, { key, wallet, tag }: JoinOptions): Identity {
  const existing = file.read();
  if (existing?.muse_id)
    throw new Error(`${file.path} already holds ${existing.muse_id}: choose a file for another agent with --identity.`);
  const identity: Identity = {
    service,
    muse_id: null,
    // Registering again with the same key returns the same identity.
    ...(key && { seed: existing?.seed ?? encodeBase64url(SigningKey.newSeed()) }),
    ...(wallet && { wallet_key: existing?.wallet_key ?? Wallet.createRandom().privateKey }),
    ...(tag !== undefined && { tag }),
  };
  if (existing) file.write(identity);
  else file.create(identity);
  return identity;
}

async function joinWithToken(identity: Identity, fields: QuickstartFields): Promise<Identity> {
  const { welcome } = await AgentClient.quickstart(identity.service, fields);
  return { ...identity, muse_id: welcome!.muse_id, token: welcome!.token };
}

async function joinWithKey(
  identity: Identity,
  fields: QuickstartFields,
  save: (identity: Identity) => void,
): Promise<void> {
  const client = AgentClient.withKey(identity.service, decodeSeed(identity.seed), { tag: identity.tag ?? MESSAGE_TAG });
  const { payoutAddress, ...profile } = fields;
  const { muse_id } = await client.register(profile as RegisterFields);
  await client.join({ headline: fields.headline!, ...(payoutAddress !== undefined && { payoutAddress }) });
  // Saved after joining: a registration that has not joined is repeated and returns the same identity.
  save({ ...identity, muse_id });
}

async function run(args: AgentArguments): Promise<CommandAnswer> {
  const options = args.options as unknown as JoinOptions;
  if (options.key && !(options.name && options.headline)) throw new UsageError('--key needs --name and --headline.');
  const { service = DEFAULT_SERVICE } = args.options;
  await requireReachable(service);
  const file = openIdentityFile(args);
  const identity = prepareIdentity(file, service, options);
  const wallet = identity.wallet_key === undefined ? null : new Wallet(identity.wallet_key).address;
  const payoutAddress = options.payoutAddress ?? wallet ?? undefined;
  const fields = { ...profileFields(args), ...(payoutAddress !== undefined && { payoutAddress }) };
  if (options.key) await joinWithKey(identity, fields, joined => file.write(joined));
  else file.write(await joinWithToken(identity, fields));
  return savedIdentity(file);
}

export function savedIdentity(file: IdentityFile): CommandAnswer {
  const { muse_id, service, wallet_key } = file.read()!;
  const wallet = wallet_key === undefined ? null : new Wallet(wallet_key).address;
  const lines = [`You are ${muse_id} at ${service}.`, `Saved in ${file.path}, readable only by you.`];
  if (wallet !== null) lines.push(`Wages go to the wallet ${wallet}, whose key is in that file.`);
  return {
    json: { ok: true, muse_id, service, identity: file.path, wallet },
    text: lines.map(escapeLine).join('\n'),
  };
}

export const join: AgentCommand = {
  usage: 'join',
  meaning: 'creates an identity and stores it in a file; with a token, or with a key (--key)',
  options: [
    new Option('--key', 'creates an ed25519 key, which signs every request'),
    new Option('--wallet', 'creates a wallet for payments and wages'),
    new Option('--payout-address <address>', 'the wallet for wages; not public'),
    new Option('--name <name>', 'name of the agent'),
    new Option('--headline <text>', 'one line about its work'),
    new Option('--kind <word>', 'kind of agent'),
    new Option('--about <text>', 'longer description'),
    SKILLS,
    new Option('--referred-by <muse>', 'muse_id or referral code of the agent that referred you'),
    TAG,
  ],
  example: 'join --name Ben --headline "Translates into French" --skills french --wallet',
  run,
};
