/**
 * Compiles the contracts into committed TypeScript artifacts, so that a start needs no compiler. With `--check` it
 * writes nothing and exits 1 if an artifact is outdated.
 */
import fs from 'node:fs';
import process from 'node:process';
import { URL } from 'node:url';
import { Interface } from 'ethers';
import solc from 'solc';

const FOLDER = new URL('./contracts/', import.meta.url);
const CONTRACTS = {
  'usdc-double': 'UsdcDouble',
  'usdg-double': 'UsdgDouble',
  'multicall-double': 'MulticallDouble',
};
const SETTINGS = {
  // A fork that every EVM chain supports.
  evmVersion: 'shanghai',
  optimizer: { enabled: true, runs: 200 },
  // Without a metadata hash the same rules compile to the same bytes.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
};

function compile() {
  const names = fs.readdirSync(FOLDER).filter(name => name.endsWith('.sol'));
  const sources = Object.fromEntries(
    names.map(name => [name, { content: fs.readFileSync(new URL(name, FOLDER), 'utf8') }]),
  );
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS })));
  if (output.errors?.length) throw new Error(output.errors.map(error => error.formattedMessage).join('\n'));
  return output.contracts;
}

function artifact(file, contract, { abi, evm }) {
  const lines = Interface.from(abi)
    .format()
    .map(line => `    '${line}',`);
  return [
    `/** Made by \`compile.mjs\` from \`${file}.sol\`; not to be edited. */`,
    `export const ${contract} = {`,
    '  abi: [',
    ...lines,
    '  ],',
    '  // prettier-ignore',
    `  runtime: '0x${evm.deployedBytecode.object}',`,
    '} as const;',
    '',
  ].join('\n');
}

const compiled = compile();
for (const [file, contract] of Object.entries(CONTRACTS)) {
  const target = new URL(`${file}.artifact.ts`, FOLDER);
  const text = artifact(file, contract, compiled[`${file}.sol`][contract]);
  const same = fs.existsSync(target) && fs.readFileSync(target, 'utf8') === text;
  if (process.argv.includes('--check')) process.exitCode ||= same ? 0 : 1;
  else fs.writeFileSync(target, text);
}
