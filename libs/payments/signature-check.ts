import { AbiCoder, Interface } from 'ethers/abi';
import { Signature } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import { concat, getBytes, hexlify } from 'ethers/utils';
import { KEY_SIGNATURE } from './eip3009.js';
import type { ContractCall, Rail, SignatureVerdict, SignedDigest } from './chain.port.js';
import { WALLET_GAS_MAX } from './gas.js';
import { decodeSecond, encodeBoth, MULTICALL } from './multicall.js';
import { resultUnlessReverted } from './node-refusals.js';
import { toQuantity } from './rpc-values.js';
import { equalsIgnoringCase } from './scheme.js';
import type { RpcAddress } from './rpc.js';

/** Ends a signature of a wallet that is not deployed yet (ERC-6492). */
const DEPLOYMENT_SUFFIX = '6492'.repeat(16);
/** Prefix of an account's code when its key has delegated to a contract (EIP-7702). */
const DELEGATION_PREFIX = '0xef0100';
const NO_CODE = '0x';

const ERC1271 = new Interface([
  'function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4 magic)',
]);
const VALID_ANSWER = ERC1271.encodeFunctionResult('isValidSignature', ['0x1626ba7e']);

interface WalletSignature {
  /** Signature that the deployed wallet takes. */
  readonly inner: string;
  /** Call that deploys the wallet. Null unless the signature has the form of ERC-6492. */
  readonly deployment: ContractCall | null;
}

export function parseWalletSignature(signature: string): WalletSignature {
  if (!signature.endsWith(DEPLOYMENT_SUFFIX)) return { inner: signature, deployment: null };
  try {
    const wrapped = signature.slice(0, -DEPLOYMENT_SUFFIX.length);
    const [to, data, inner] = AbiCoder.defaultAbiCoder().decode(['address', 'bytes', 'bytes'], wrapped).toArray();
    return { inner: String(inner), deployment: { to: String(to), data: String(data) } };
  } catch {
    return { inner: signature, deployment: null };
  }
}

/**
 * Recovers the signer. Null if the signature is malformed, including a high `s` or another `v`, which tokens refuse.
 */
export async function recoverSigner(digest: string, signature: string): Promise<string | null> {
  if (!KEY_SIGNATURE.test(signature)) return null;
  // `libsecp256k1` takes an eighth of the time of `ethers`. Loaded on first use to keep the start fast.
  const { recover } = await import('tiny-secp256k1');
  try {
    const { r, s, yParity } = Signature.from(signature);
    const publicKey = recover(getBytes(digest), getBytes(concat([r, s])), yParity, false);
    return publicKey && computeAddress(hexlify(publicKey));
  } catch {
    return null;
  }
}

export async function isSignedByKey({ payer, digest, signature }: SignedDigest): Promise<boolean> {
  const signer = await recoverSigner(digest, signature);
  return signer !== null && equalsIgnoringCase(signer, payer);
}

/**
 * Checks a signature as the rail's token does at a block: asks a payer that has code (ERC-1271), EIP-7702 accounts
 * included, and recovers the signer otherwise. `code` is the payer's at that block.
 */
export async function checkSignature(
  rail: Rail,
  signed: SignedDigest,
  { address, code, blockHash }: { address: RpcAddress; code: string; blockHash: string },
): Promise<SignatureVerdict> {
  if (!rail.asksWallets) return checkKeySignature(signed, code);
  const { inner, deployment } = parseWalletSignature(signed.signature);
  if (code === NO_CODE && !deployment) return (await isSignedByKey(signed)) ? 'valid' : 'invalid';
  const question = {
    to: signed.payer,
    data: ERC1271.encodeFunctionData('isValidSignature', [signed.digest, inner]),
  };
  const isDeployed = code !== NO_CODE;
  const call = isDeployed ? question : { to: MULTICALL, data: encodeBoth(deployment!, question, false) };
  const [answer] = await address.batch({
    method: 'eth_call',
    params: [{ ...call, gas: toQuantity(WALLET_GAS_MAX) }, { blockHash }],
  });
  const bytes = resultUnlessReverted(answer);
  const words = isDeployed ? bytes : bytes && walletAnswer(bytes);
  return words?.slice(0, VALID_ANSWER.length) === VALID_ANSWER ? 'valid' : 'invalid';
}

async function checkKeySignature(signed: SignedDigest, code: string): Promise<SignatureVerdict> {
  const isContract = code !== NO_CODE && !code.toLowerCase().startsWith(DELEGATION_PREFIX);
  if (isContract || !isKeySized(signed.signature)) return 'unsupported';
  return (await isSignedByKey(signed)) ? 'valid' : 'invalid';
}

const isKeySized = (signature: string) => signature.length <= 2 + 2 * 65;

function walletAnswer(bytes: string): string | null {
  const result = decodeSecond(bytes);
  return result?.success ? result.data : null;
}
