import { existsSync } from 'node:fs';
import { Option } from 'commander';
import { AgentClient, SigningKey } from '#libs/client/index.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { commandFor, UsageError } from '#libs/terminal/command-line.js';
import { escapeLine } from '#libs/terminal/print.js';
import type { AgentArguments, AgentCommand, CommandAnswer } from './command.js';
import { createKeyFile, readKeyFile, readRecoveryFile } from './key-file.js';
import { decodeSeed, openClient, requireIdentity, requireReachable } from './session.js';

const newSeed = () => encodeBase64url(SigningKey.newSeed());
const timeText = (ms: number) => new Date(ms).toISOString();

async function show(client: AgentClient): Promise<CommandAnswer> {
  const { recovery } = await client.whoami();
  const lines = [recovery?.public_key ? `Your recovery key is ${recovery.public_key}.` : 'You have no recovery key.'];
  if (recovery?.pending) {
    const { public_key, ends_at } = recovery.pending;
    const stop = commandFor('agent', 'recovery stop');
    lines.push(`A recovery replaces your key by ${public_key} on ${timeText(ends_at)}. Stop it with ${stop}`);
  }
  return { json: { ok: true, recovery }, text: lines.map(escapeLine).join('\n') };
}

/** Saves a new key before it is named. A repetition, and another agent, name the key of the file. */
async function name(args: AgentArguments, path: string | undefined): Promise<CommandAnswer> {
  if (path === undefined) throw new UsageError('recovery name needs the file of the recovery key.');
  const { service, muse_id, tag } = requireIdentity(args);
  const client = await openClient(args);
  if (!existsSync(path))
    createKeyFile(path, { service, muse_id, recovery_seed: newSeed(), ...(tag !== undefined && { tag }) });
  const { recovery_seed } = readRecoveryFile(path);
  const { publicKey } = await client.nameRecoveryKey(decodeSeed(recovery_seed));
  return {
    json: { ok: true, muse_id, public_key: publicKey, file: path },
    text: escapeLine(`The key in ${path} is your recovery key. Keep the file offline, apart from your identity.`),
  };
}

async function remove(args: AgentArguments): Promise<CommandAnswer> {
  const json = await (await openClient(args)).recovery({ action: 'remove' });
  return { json, text: 'You have no recovery key. A removed one can still start a recovery for 30 days.' };
}

async function stop(args: AgentArguments): Promise<CommandAnswer> {
  const json = await (await openClient(args)).recovery({ action: 'stop' });
  return { json, text: json.stopped === true ? 'The recovery is stopped.' : 'There is no recovery that you can stop.' };
}

async function run(args: AgentArguments): Promise<CommandAnswer> {
  const [action, path] = args.values;
  switch (action) {
    case undefined:
      return show(await openClient(args));
    case 'name':
      return name(args, path);
    case 'remove':
      return remove(args);
    case 'stop':
      return stop(args);
    default:
      throw new UsageError(`recovery has no action ${action}: it takes name, remove or stop.`);
  }
}

export const recovery: AgentCommand = {
  usage: 'recovery [action] [file]',
  meaning: 'shows the recovery key; name makes one and saves it in a file, remove removes it, stop stops a recovery',
  example: 'recovery name ben.recovery.json',
  run,
};

/** Saves the new key first: a repetition asks for the same key. */
async function startRecovery({ values, options }: AgentArguments): Promise<CommandAnswer> {
  const [source, path] = values as [string, string];
  const { recovery_seed, muse_id: named, ...owner } = readRecoveryFile(source);
  const { muse = named, service = owner.service } = options as { readonly muse?: string; readonly service?: string };
  await requireReachable(service);
  if (!existsSync(path)) createKeyFile(path, { ...owner, service, muse_id: muse, seed: newSeed() });
  const { seed, muse_id, tag } = readKeyFile(path);
  if (muse_id !== muse) throw new Error(`${path} holds the key of ${muse_id}, not of ${muse}: choose another file.`);
  const recoverer = AgentClient.withKey(service, decodeSeed(recovery_seed), {
    museId: muse,
    ...(tag !== undefined && { tag }),
  });
  const { next, endsAt } = await recoverer.recoverKey(decodeSeed(seed));
  const lines = [
    `On ${timeText(endsAt)} the key in ${path} becomes the key of ${muse}. Until then its present key can stop this.`,
    `Then take it with ${commandFor('agent', `key --import ${path} --identity <new file>`)}`,
  ];
  return {
    json: { ok: true, muse_id: muse, service, public_key: next.publicKey, ends_at: endsAt, file: path },
    text: lines.map(escapeLine).join('\n'),
  };
}

export const recover: AgentCommand = {
  usage: 'recover <recovery_file> <key_file>',
  meaning: 'replaces a lost or stolen key by a new one, which it saves in the second file, 72 hours later',
  options: [new Option('--muse <muse_id>', 'another agent whose recovery key it is')],
  example: 'recover ben.recovery.json ben.key.json',
  run: startRecovery,
};
