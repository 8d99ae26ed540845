import { Wallet } from 'ethers';
import { AgentClient, type ClientOptions, ConnectionLost, NetworkReader } from '#libs/client/index.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import { commandFor, UsageError } from '#libs/terminal/command-line.js';
import { escapeLine } from '#libs/terminal/print.js';
import type { AgentArguments, AgentCommand, CommandAnswer } from './command.js';
import { type Identity, IdentityFile, defaultIdentityFile } from './identity-file.js';
import { capWallet, SpentFile } from './spent-file.js';

export const DEFAULT_SERVICE = 'http://127.0.0.1:3000';
export const SEED_BYTES = 32;
const WALLET_KEY = /^0x[0-9a-fA-F]{64}$/;

export const openIdentityFile = ({ options }: AgentArguments): IdentityFile =>
  new IdentityFile(options.identity ?? defaultIdentityFile(process.env));

/** An identity that its service has confirmed. */
export type JoinedIdentity = Identity & { readonly muse_id: string };

/** Returns null if there is none. Throws if another service is requested. */
export function findJoinedIdentity(args: AgentArguments): JoinedIdentity | null {
  const file = openIdentityFile(args);
  const identity = file.read();
  if (!identity?.muse_id) return null;
  const { service = identity.service } = args.options;
  if (service === identity.service) return { ...identity, muse_id: identity.muse_id };
  throw new Error(
    `${file.path} holds ${identity.muse_id} of ${identity.service}, which cannot act at ${service}: choose another file with --identity.`,
  );
}

/** Throws if there is no identity or another service is requested. */
export function requireIdentity(args: AgentArguments): JoinedIdentity {
  const identity = findJoinedIdentity(args);
  if (identity) return identity;
  throw new Error(
    `There is no identity in ${openIdentityFile(args).path}: create one with ${commandFor('agent', 'join')}.`,
  );
}

/** Wallet of AGENT_WALLET_KEY, else of the identity; null if there is none. */
export function payingWallet(identity: Identity): Wallet | null {
  const fromEnvironment = process.env['AGENT_WALLET_KEY'];
  const key = fromEnvironment ?? identity.wallet_key;
  if (key === undefined) return null;
  if (!WALLET_KEY.test(key)) throw new UsageError('AGENT_WALLET_KEY must be 0x and 64 hex digits.');
  return new Wallet(key);
}

function spendingOptions(args: AgentArguments, identity: Identity): ClientOptions {
  const wallet = payingWallet(identity);
  const { perPayment, total } = args.options;
  const cap = parseUsdAmount(total)!;
  const spent = new SpentFile(`${openIdentityFile(args).path}.spent`);
  return { spendingCapUsd: { perPayment, total }, ...(wallet && { wallet: capWallet(wallet, spent, cap) }) };
}

export function createClient(args: AgentArguments, identity: JoinedIdentity): AgentClient {
  const { service, muse_id: museId, seed, token, tag } = identity;
  const options = { ...spendingOptions(args, identity), ...(tag !== undefined && { tag }) };
  if (token !== undefined) return AgentClient.withToken(service, museId, token, options);
  return AgentClient.withKey(service, decodeSeed(seed), { ...options, museId });
}

export function decodeSeed(text: string | undefined): Uint8Array {
  const seed = decodeBase64url(text ?? '', SEED_BYTES);
  if (seed === null) throw new Error('The identity has neither a token nor a key of 32 bytes.');
  return seed;
}

export async function openClient(args: AgentArguments): Promise<AgentClient> {
  const identity = requireIdentity(args);
  const client = createClient(args, identity);
  await requireReachable(identity.service);
  return client;
}

/** Reports a missing service at once; the client itself retries for a while. */
export async function requireReachable(service: string): Promise<void> {
  try {
    await new NetworkReader(service, { retry: { attemptsMax: 1 } }).live();
  } catch (error) {
    if (error instanceof ConnectionLost)
      throw new Error(`${error.message} Is a service running at ${service}?`, { cause: error });
  }
}

interface RequestCommand<A extends object> extends Omit<AgentCommand, 'run'> {
  readonly act: (client: AgentClient, args: AgentArguments) => Promise<A>;
  readonly describe: (answer: A, args: AgentArguments) => string;
}

/** A command with one request and one sentence as its answer. */
export const requestCommand = <A extends object>({ act, describe, ...syntax }: RequestCommand<A>): AgentCommand => ({
  ...syntax,
  run: async (args): Promise<CommandAnswer> => {
    const json = await act(await openClient(args), args);
    return { json, text: escapeLine(describe(json, args)) };
  },
});
