import { DevChain } from '#libs/payments/devchain/dev-chain.js';

const [folder, ...ports] = process.argv.slice(2);
const chain = await DevChain.start({ folder: folder!, ports: [Number(ports[0]), Number(ports[1])] });
process.stdout.write(`${JSON.stringify(chain.rpc)}\n`);
setInterval(() => undefined, 60_000);
