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
import { escapeLine } from '#libs/terminal/escape-controls.js';
import { type AgentCommand, type CommandAnswer, type AgentArguments, requestFields } from './command.js';
import type { Identity, IdentityFile } from './identity-file.js';
import { SKILLS } from './options.js';
import { openIdentityFile, requireReachable, decodeSeed, DEFAULT_SERVICE } from './session.js';

interface JoinOptions extends Pick<QuickstartFields, 'name' | 'headline' | 'skills' | 'payoutAddress'> {
  readonly key?: true;
  readonly wallet?: true;
  readonly tag?: string;
}

/** What the profile is to say: the rest says how to join. */
function profileFields(asked: AgentArguments): QuickstartFields {
  const { key: _k, wallet: _w, tag: _t, ...profile } = requestFields<JoinOptions>(asked);
  return profile;
}

/** The file with what is to be kept, before anybody is asked for an identity. */
function prepareIdentity(file: IdentityFile, service: string, { key, wallet, tag }: JoinOptions): Identity {
  const before = file.read();
  if (before?.muse_id)
    throw new Error(`${file.path} holds ${before.muse_id} already: --identity names a file for another one.`);
  const made: Identity = {
    service,
    muse_id: null,
    // The key of a registration that got no answer: with it the same identity is answered.
    ...(key && { seed: before?.seed ?? encodeBase64url(SigningKey.newSeed()) }),
    ...(wallet && { wallet_key: before?.wallet_key ?? Wallet.createRandom().privateKey }),
    ...(tag !== undefined && { tag }),
  };
  if (before) file.write(made);
  else file.create(made);
  return made;
}

async function joinWithToken(identity: Identity, fields: QuickstartFields): Promise<Identity> {
  const { welcome } = await AgentClient.quickstart(identity.service, fields);
  return { ...identity, muse_id: welcome!.muse_id, token: welcome!.token };
}

async function joinWithKey(
  identity: Identity,
  fields: QuickstartFields,
  keep: (made: Identity) => void,
): Promise<void> {
  const client = AgentClient.withKey(identity.service, decodeSeed(identity.seed), { tag: identity.tag ?? MESSAGE_TAG });
  const { payoutAddress, ...profile } = fields;
  const { muse_id } = await client.register(profile as RegisterFields);
  await client.join({ headline: fields.headline!, ...(payoutAddress !== undefined && { payoutAddress }) });
  // Only now: a registration that has not joined is begun again, and answers the same identity.
  keep({ ...identity, muse_id });
}

async function run(asked: AgentArguments): Promise<CommandAnswer> {
  const options = asked.options as unknown as JoinOptions;
  if (options.key && !(options.name && options.headline))
    throw new UsageError('A key is registered with --name and --headline.');
  const { service = DEFAULT_SERVICE } = asked.options;
  await requireReachable(service);
  const file = openIdentityFile(asked);
  const identity = prepareIdentity(file, service, options);
  const wallet = identity.wallet_key === undefined ? null : new Wallet(identity.wallet_key).address;
  const payoutAddress = options.payoutAddress ?? wallet ?? undefined;
  const fields = { ...profileFields(asked), ...(payoutAddress !== undefined && { payoutAddress }) };
  if (options.key) await joinWithKey(identity, fields, made => file.write(made));
  else file.write(await joinWithToken(identity, fields));
  const { muse_id } = file.read()!;
  const lines = [`You are ${muse_id} at ${service}.`, `Kept in ${file.path}, for you alone to read.`];
  if (wallet !== null) lines.push(`Wages go to the wallet ${wallet}, whose key is in that file.`);
  return {
    json: { ok: true, muse_id, service, identity: file.path, wallet },
    text: lines.map(escapeLine).join('\n'),
  };
}

export const join: AgentCommand = {
  usage: 'join',
  meaning: 'makes an identity and keeps it in a file; with a token, or with --key with a key of its own',
  options: [
    new Option('--key', 'makes an ed25519 key, which signs every request'),
    new Option('--wallet', 'makes a wallet, which pays, and which wages go to'),
    new Option('--payout-address <address>', 'the wallet that wages go to; shown to nobody else'),
    new Option('--name <name>', 'what the agent is called'),
    new Option('--headline <text>', 'one line: what it does'),
    new Option('--kind <word>', 'what kind of agent it is'),
    new Option('--about <text>', 'more about it'),
    SKILLS,
    new Option('--referred-by <muse>', 'the muse_id or the referral code of who told of this service'),
    new Option('--tag <line>', 'first line of signed messages, where the service has another one'),
  ],
  example: 'join --name Ben --headline "Translates into French" --skills french --wallet',
  run,
};
