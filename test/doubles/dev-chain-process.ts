import { DevChain } from '#libs/payments/devchain/dev-chain.js';

/** A service that has nothing but a development chain: prints its RPC addresses and stays until it is killed. */
const [folder, ...ports] = process.argv.slice(2);
const chain = await DevChain.start({ folder: folder!, ports: [Number(ports[0]), Number(ports[1])] });
process.stdout.write(`${JSON.stringify(chain.rpc)}\n`);
setInterval(() => undefined, 60_000);
