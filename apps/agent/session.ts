import { Wallet } from 'ethers';
import { AgentClient, type ClientOptions, ConnectionLost, NetworkReader } from '#libs/client/index.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { unitsOfUsd } from '#libs/kernel/money.js';
import { calledAs, Misuse } from '#libs/terminal/command-line.js';
import type { Asked } from './command.js';
import { type Identity, IdentityFile, standardFile } from './identity-file.js';
import { capped, SpentFile } from './spent-file.js';

/** Where a service listens that nothing was set for. */
export const STANDARD_SERVICE = 'http://127.0.0.1:3000';
const SEED_BYTES = 32;
const WALLET_KEY = /^0x[0-9a-fA-F]{64}$/;

export const identityFileOf = ({ options }: Asked): IdentityFile =>
  new IdentityFile(options.identity ?? standardFile(process.env));

/** An identity that its service has answered. */
export type Joined = Identity & { readonly muse_id: string };

/** The identity of the file; null where there is none yet. Throws a sentence where another service is asked for. */
export function joinedOf(asked: Asked): Joined | null {
  const file = identityFileOf(asked);
  const identity = file.read();
  if (!identity?.muse_id) return null;
  const { service = identity.service } = asked.options;
  if (service === identity.service) return { ...identity, muse_id: identity.muse_id };
  throw new Error(
    `${file.path} holds ${identity.muse_id} of ${identity.service}, which does nothing at ${service}: --identity names another file.`,
  );
}

/** The identity that acts. Throws a sentence where there is none yet, and where another service is asked for. */
export function identityOf(asked: Asked): Joined {
  const identity = joinedOf(asked);
  if (identity) return identity;
  throw new Error(`There is no identity in ${identityFileOf(asked).path}: ${calledAs('agent', 'join')} makes one.`);
}

/** The wallet that pays: of AGENT_WALLET_KEY, else of the identity; null without one. */
export function walletOf(identity: Identity): Wallet | null {
  const fromEnvironment = process.env['AGENT_WALLET_KEY'];
  const key = fromEnvironment ?? identity.wallet_key;
  if (key === undefined) return null;
  if (!WALLET_KEY.test(key)) throw new Misuse('AGENT_WALLET_KEY must be 0x and 64 hex digits.');
  return new Wallet(key);
}

function spendingOf(asked: Asked, identity: Identity): ClientOptions {
  const wallet = walletOf(identity);
  const { perPayment, total } = asked.options;
  const cap = unitsOfUsd(total)!;
  const spent = new SpentFile(`${identityFileOf(asked).path}.spent`);
  return { spendingCapUsd: { perPayment, total }, ...(wallet && { wallet: capped(wallet, spent, cap) }) };
}

/** The client of an identity with a key or a token. */
export function clientOf(asked: Asked, identity: Joined): AgentClient {
  const { service, muse_id: museId, seed, token, tag } = identity;
  const options = { ...spendingOf(asked, identity), ...(tag !== undefined && { tag }) };
  if (token !== undefined) return AgentClient.withToken(service, museId, token, options);
  return AgentClient.withKey(service, seedOf(seed), { ...options, museId });
}

export function seedOf(text: string | undefined): Uint8Array {
  const seed = decodeBase64url(text ?? '', SEED_BYTES);
  if (seed === null) throw new Error('The identity has neither a token nor a key of 32 bytes.');
  return seed;
}

/** The client of the identity that acts, once its service has answered. */
export async function actingClient(asked: Asked): Promise<AgentClient> {
  const identity = identityOf(asked);
  const client = clientOf(asked, identity);
  await mustAnswer(identity.service);
  return client;
}

/** Who has forgotten to start a service hears it at once; the client itself goes on asking for a while. */
export async function mustAnswer(service: string): Promise<void> {
  try {
    await new NetworkReader(service, { retry: { attemptsMax: 1 } }).live();
  } catch (error) {
    if (error instanceof ConnectionLost)
      throw new Error(`${error.message} Is a service running at ${service}?`, { cause: error });
  }
}
