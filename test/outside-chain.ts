import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Wallet } from 'ethers';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { makeFolder } from './temporary-folder.js';

/** A chain that the service does not run itself, so its money counts as real there (`CHAIN=rpc`). */
export class OutsideChain {
  private constructor(
    readonly chain: DevChain,
    private readonly keyFile: string,
  ) {}

  static async start(): Promise<OutsideChain> {
    const folder = makeFolder();
    const relayer = Wallet.createRandom();
    const keyFile = join(folder, 'relayer');
    writeFileSync(keyFile, `${relayer.privateKey}\n`, { mode: 0o600 });
    const chain = await DevChain.start({ folder: join(folder, 'chain'), ports: [0, 0], funded: [relayer.address] });
    return new OutsideChain(chain, keyFile);
  }

  /** Settings of a service on this chain, which may neither change its clock nor fetch from this machine. */
  get settings() {
    return {
      CHAIN: 'rpc',
      BASE_RPC_URL: this.chain.rpc['base']!,
      ROBINHOOD_RPC_URL: this.chain.rpc['robinhood']!,
      RELAYER_KEY_FILE: this.keyFile,
      SERVICE_WALLET: Wallet.createRandom().address,
      DEV_CHAIN_PORTS: '',
      RATE_LIMITS: 'dev',
      TEST_CLOCK_FILE: '',
      FETCH_ALLOW: '',
    };
  }

  async stop(): Promise<void> {
    await this.chain.stop();
  }
}
