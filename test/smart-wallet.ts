import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { BaseWallet } from 'ethers';
import { createPublicClient, http, type Hex } from 'viem';
import {
  toCoinbaseSmartAccount,
  toWebAuthnAccount,
  type SmartAccount,
  type WebAuthnAccount,
} from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import type { Rail, TransferAuthorization } from '#libs/payments/chain.port.js';
import { TRANSFER_TYPES } from './x402.js';

const SITE = 'wallet.example';
const USER_PRESENT_AND_VERIFIED = 5;
const COUNTER_BYTES = 4;

type Authenticator = NonNullable<Parameters<typeof toWebAuthnAccount>[0]['getFn']>;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** Answers like the authenticator of a browser. */
function createPasskey(): WebAuthnAccount {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const coordinates = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const getFn: Authenticator = async options => {
    const challenge = Buffer.from(options!.publicKey!.challenge as ArrayBuffer).toString('base64url');
    const clientData = { type: 'webauthn.get', challenge, origin: `https://${SITE}`, crossOrigin: false };
    const clientDataJSON = Buffer.from(JSON.stringify(clientData));
    const flags = Buffer.from([USER_PRESENT_AND_VERIFIED]);
    const authenticatorData = Buffer.concat([sha256(SITE), flags, Buffer.alloc(COUNTER_BYTES)]);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey);
    return { response: { authenticatorData, clientDataJSON, signature } } as unknown as Awaited<
      ReturnType<Authenticator>
    >;
  };
  return toWebAuthnAccount({
    credential: { id: 'passkey', publicKey: `0x${coordinates.toString('hex')}` },
    getFn,
    rpId: SITE,
  });
}

export type WalletOwner = 'key' | 'passkey';

/** Smart wallet of viem. It is not deployed: its signatures are those of ERC-6492 until `deployWallet`. */
export function createSmartWallet(rpc: string, owner: WalletOwner = 'key'): Promise<SmartAccount> {
  const client = createPublicClient({ chain: base, transport: http(rpc), cacheTime: 0 });
  const owners = [owner === 'key' ? privateKeyToAccount(generatePrivateKey()) : createPasskey()];
  return toCoinbaseSmartAccount({ client, owners, version: '1.1' });
}

export async function deployWallet(wallet: SmartAccount, call: (to: Hex, data: Hex) => Promise<unknown>) {
  const { factory, factoryData } = await wallet.getFactoryArgs();
  await call(factory!, factoryData!);
}

export function signAsWallet(wallet: SmartAccount, rail: Rail, authorization: TransferAuthorization): Promise<Hex> {
  const { chainId, asset, domain } = rail;
  return signTypedData(wallet, { ...domain, chainId, verifyingContract: asset }, TRANSFER_TYPES, authorization);
}

/** Smart wallet with the methods of a wallet of `ethers` that a payment needs. */
export async function smartPayer(rpc: string, owner?: WalletOwner): Promise<BaseWallet> {
  const wallet = await createSmartWallet(rpc, owner);
  const payer = { address: wallet.address, signTypedData: signTypedData.bind(null, wallet) };
  return payer as unknown as BaseWallet;
}

function signTypedData(wallet: SmartAccount, domain: object, types: object, message: object): Promise<Hex> {
  return wallet.signTypedData({ domain, types, primaryType: Object.keys(types)[0]!, message } as never);
}
