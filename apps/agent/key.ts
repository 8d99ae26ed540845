import { Option } from 'commander';
import { ApiError, MESSAGE_TAG, SigningKey } from '#libs/client/index.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { escapeLine, printJson, formatTable } from '#libs/terminal/print.js';
import type { AgentCommand, CommandAnswer, AgentArguments } from './command.js';
import type { Identity } from './identity-file.js';
import { createKeyFile, type KeyFile, readKeyFile } from './key-file.js';
import { savedIdentity } from './join.js';
import { TAG } from './options.js';
import { createClient, decodeSeed, openIdentityFile, requireIdentity, requireReachable } from './session.js';

const STANDARD_OUTPUT = '-';

const publicKeyOf = ({ seed }: Identity): string | null =>
  seed === undefined ? null : new SigningKey(decodeSeed(seed), MESSAGE_TAG, null).publicKey;

function showKey(args: AgentArguments): CommandAnswer {
  const identity = requireIdentity(args);
  const { muse_id, service } = identity;
  const public_key = publicKeyOf(identity);
  const rows = [
    ['muse_id', muse_id],
    ['service', service],
    ['public key', public_key ?? 'none: the identity acts with a token. Bind a key with key --new'],
  ];
  return { json: { ok: true, muse_id, service, public_key }, text: formatTable(rows) };
}

/** Never overwrites a file. */
function exportKey(args: AgentArguments, path: string): CommandAnswer | null {
  const { muse_id, service, seed, tag } = requireIdentity(args);
  if (seed === undefined) throw new Error('The identity acts with a token. Bind a key first with key --new.');
  const keyFile: KeyFile = { service, muse_id, seed, ...(tag !== undefined && { tag }) };
  if (path === STANDARD_OUTPUT) {
    printJson(keyFile);
    return null;
  }
  createKeyFile(path, keyFile);
  return {
    json: { ok: true, muse_id, service, file: path },
    text: escapeLine(`Saved the key of ${muse_id} in ${path}.`),
  };
}

/** Saves the identity once its service has accepted the key. */
async function importKey(args: AgentArguments, path: string): Promise<CommandAnswer> {
  const keyFile = readKeyFile(path);
  const file = openIdentityFile(args);
  const existing = file.read();
  if (existing)
    throw new Error(`${file.path} already holds ${existing.muse_id ?? 'a key'}: choose another file with --identity.`);
  const tag = args.options['tag'] as string | undefined;
  const identity = { ...keyFile, ...(tag !== undefined && { tag }) };
  await requireReachable(identity.service);
  await createClient(args, identity).whoami();
  file.create(identity);
  return savedIdentity(file);
}

/** Saves the new seed first: after a lost answer, a repetition binds the same key. */
async function replaceKey(args: AgentArguments): Promise<CommandAnswer> {
  const identity = requireIdentity(args);
  const file = openIdentityFile(args);
  await requireReachable(identity.service);
  const {
    token: _token,
    bridge_token: _bridgeToken,
    next_seed = encodeBase64url(SigningKey.newSeed()),
    ...kept
  } = identity;
  file.write({ ...identity, next_seed });
  try {
    await createClient(args, identity).withNewKey(decodeSeed(next_seed));
  } catch (error) {
    if (error instanceof ApiError) file.write(identity);
    throw error;
  }
  file.write({ ...kept, seed: next_seed });
  return showKey(args);
}

async function run(args: AgentArguments): Promise<CommandAnswer | null> {
  const { export: target, import: source, new: isNew } = args.options;
  if (typeof target === 'string') return exportKey(args, target);
  if (typeof source === 'string') return importKey(args, source);
  return isNew === true ? replaceKey(args) : showKey(args);
}

export const key: AgentCommand = {
  usage: 'key',
  meaning: 'shows the public key of the agent; saves, takes or replaces its key',
  options: [
    new Option('--export <file>', 'saves the key in a file that the page /join reads; - for standard output').conflicts(
      ['import', 'new'],
    ),
    new Option('--import <file>', 'takes the identity of such a file').conflicts('new'),
    new Option('--new', 'binds a new key; it ends the former key with its tokens and verification'),
    TAG,
  ],
  example: 'key --export ben.key.json',
  run,
};
