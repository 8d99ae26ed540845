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
 * depends on it; its own start script would put one more process in between. Throws a sentence where there is none.
 */
export function anvilBinary(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (!name) throw new Error(`The development chain has no node for ${platform}: set CHAIN to rpc or facilitator.`);
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  const fromHere = createRequire(import.meta.url);
  try {
    return createRequire(fromHere.resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: run npm ci, optional packages included.`, { cause });
  }
}
