import { createRequire } from 'node:module';

const PACKAGES: { readonly [platform: string]: string } = {
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
};

/**
 * Path of the EVM node's binary. Resolved from the package that depends on it, because that package's own start script
 * would add a process.
 */
export function anvilBinary(platform = `${process.platform}-${process.arch}`, from = import.meta.url): string {
  const name = PACKAGES[platform];
  if (!name) throw new Error(`CHAIN=dev has no node for ${platform}. Set CHAIN=rpc.`);
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return createRequire(createRequire(from).resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    const problem = `CHAIN=dev needs the optional package ${name}, which is not installed.`;
    throw new Error(`${problem} Run npm ci without --omit=optional, or set CHAIN=rpc.`, { cause });
  }
}
