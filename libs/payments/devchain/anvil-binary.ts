import { createRequire } from 'node:module';

/** The packages that carry the node's binary, by platform and processor. */
const PACKAGES: { readonly [platform: string]: string } = {
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
};

/**
 * The path of the EVM node's binary. It lies in a package of its platform, which is looked for from the package that
 * depends on it; its own start script would put one more process in between. Throws a sentence where there is none:
 * both packages are optional, as nothing but the development chain asks for them. `from` is the module that asks.
 */
export function anvilBinary(platform = `${process.platform}-${process.arch}`, from = import.meta.url): string {
  const name = PACKAGES[platform];
  if (!name) throw new Error(`CHAIN: the development chain has no node for ${platform}. Set CHAIN=rpc.`);
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return createRequire(createRequire(from).resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    const missing = `CHAIN=dev needs the optional package ${name}, which is not installed.`;
    throw new Error(`${missing} Run npm ci without --omit=optional, or set CHAIN=rpc.`, { cause });
  }
}
