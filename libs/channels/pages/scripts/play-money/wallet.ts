import type { PaymentSigner } from '#libs/client/payer.js';
import { readStored, store } from '#libs/channels/pages/scripts/join/stored-key.js';
import { newTransport } from '#libs/channels/pages/scripts/join/signing.js';
import type { TypedData } from '#libs/channels/pages/scripts/wallet.js';
import { addressOf, newSecret, signHash } from './secp256k1.js';
import { hashTypedData } from './typed-data.js';

/** Loaded only on a development chain: a page of a real chain must not hold keys of money. */

const NAME = 'play-money-wallet';
const FAUCET = '/api/faucet';
const OK = 200;

/** A wallet in this browser whose money has no value. */
export class PlayMoneyWallet implements PaymentSigner {
  readonly address: string;

  constructor(private readonly secret: Uint8Array) {
    this.address = addressOf(secret);
  }

  /** Null until this browser has one. */
  static async load(): Promise<PlayMoneyWallet | null> {
    const secret = await readStored<Uint8Array>(NAME).catch(() => undefined);
    return secret ? new PlayMoneyWallet(secret) : null;
  }

  static async loadOrCreate(): Promise<PlayMoneyWallet> {
    return (await PlayMoneyWallet.load()) ?? PlayMoneyWallet.create();
  }

  /** Makes a filled wallet. Throws a sentence if it cannot be kept or filled. */
  static async create(): Promise<PlayMoneyWallet> {
    const secret = newSecret();
    const wallet = new PlayMoneyWallet(secret);
    await wallet.fill();
    await store(NAME, secret).catch((error: unknown) => {
      throw new Error('This browser cannot store a wallet.', { cause: error });
    });
    return wallet;
  }

  /** Asks the faucet of the service for money. */
  async fill(): Promise<void> {
    const body = JSON.stringify({ wallet: this.address });
    const headers = { 'content-type': 'application/json' };
    const answer = await newTransport()
      .send({ method: 'POST', path: FAUCET, headers, body })
      .catch(() => null);
    if (answer?.status !== OK) throw new Error('The faucet did not fill the wallet. Try again.');
  }

  getAddress = () => Promise.resolve(this.address);

  signTypedData = (...typed: TypedData) => Promise.resolve(signHash(this.secret, hashTypedData(...typed)));
}
