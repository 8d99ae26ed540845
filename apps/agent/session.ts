import { Wallet } from 'ethers';
import { AgentClient, type ClientOptions, ConnectionLost, NetworkReader } from '#libs/client/index.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import { commandFor, UsageError } from '#libs/terminal/command-line.js';
import type { AgentArguments } from './command.js';
import { type Identity, IdentityFile, defaultIdentityFile } from './identity-file.js';
import { capWallet, SpentFile } from './spent-file.js';

/** Where a service listens that nothing was set for. */
export const DEFAULT_SERVICE = 'http://127.0.0.1:3000';
const SEED_BYTES = 32;
const WALLET_KEY = /^0x[0-9a-fA-F]{64}$/;

export const openIdentityFile = ({ options }: AgentArguments): IdentityFile =>
  new IdentityFile(options.identity ?? defaultIdentityFile(process.env));

/** An identity that its service has answered. */
export type JoinedIdentity = Identity & { readonly muse_id: string };

/** The identity of the file; null where there is none yet. Throws a sentence where another service is asked for. */
export function findJoinedIdentity(asked: AgentArguments): JoinedIdentity | null {
  const file = openIdentityFile(asked);
  const identity = file.read();
  if (!identity?.muse_id) return null;
  const { service = identity.service } = asked.options;
  if (service === identity.service) return { ...identity, muse_id: identity.muse_id };
  throw new Error(
    `${file.path} holds ${identity.muse_id} of ${identity.service}, which does nothing at ${service}: --identity names another file.`,
  );
}

/** The identity that acts. Throws a sentence where there is none yet, and where another service is asked for. */
export function requireIdentity(asked: AgentArguments): JoinedIdentity {
  const identity = findJoinedIdentity(asked);
  if (identity) return identity;
  throw new Error(`There is no identity in ${openIdentityFile(asked).path}: ${commandFor('agent', 'join')} makes one.`);
}

/** The wallet that pays: of AGENT_WALLET_KEY, else of the identity; null without one. */
export function payingWallet(identity: Identity): Wallet | null {
  const fromEnvironment = process.env['AGENT_WALLET_KEY'];
  const key = fromEnvironment ?? identity.wallet_key;
  if (key === undefined) return null;
  if (!WALLET_KEY.test(key)) throw new UsageError('AGENT_WALLET_KEY must be 0x and 64 hex digits.');
  return new Wallet(key);
}

function spendingOptions(asked: AgentArguments, identity: Identity): ClientOptions {
  const wallet = payingWallet(identity);
  const { perPayment, total } = asked.options;
  const cap = parseUsdAmount(total)!;
  const spent = new SpentFile(`${openIdentityFile(asked).path}.spent`);
  return { spendingCapUsd: { perPayment, total }, ...(wallet && { wallet: capWallet(wallet, spent, cap) }) };
}

/** The client of an identity with a key or a token. */
export function createClient(asked: AgentArguments, identity: JoinedIdentity): AgentClient {
  const { service, muse_id: museId, seed, token, tag } = identity;
  const options = { ...spendingOptions(asked, identity), ...(tag !== undefined && { tag }) };
  if (token !== undefined) return AgentClient.withToken(service, museId, token, options);
  return AgentClient.withKey(service, decodeSeed(seed), { ...options, museId });
}

export function decodeSeed(text: string | undefined): Uint8Array {
  const seed = decodeBase64url(text ?? '', SEED_BYTES);
  if (seed === null) throw new Error('The identity has neither a token nor a key of 32 bytes.');
  return seed;
}

/** The client of the identity that acts, once its service has answered. */
export async function openClient(asked: AgentArguments): Promise<AgentClient> {
  const identity = requireIdentity(asked);
  const client = createClient(asked, identity);
  await requireReachable(identity.service);
  return client;
}

/** Who has forgotten to start a service hears it at once; the client itself goes on asking for a while. */
export async function requireReachable(service: string): Promise<void> {
  try {
    await new NetworkReader(service, { retry: { attemptsMax: 1 } }).live();
  } catch (error) {
    if (error instanceof ConnectionLost)
      throw new Error(`${error.message} Is a service running at ${service}?`, { cause: error });
  }
}
