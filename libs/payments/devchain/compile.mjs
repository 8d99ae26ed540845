/**
 * Compiles the contracts of the development chain and writes one `*.artifact.ts` for each: `node compile.mjs`. With
 * `--check` nothing is written, and the exit code is 1 where a written artifact is not what its source compiles to.
 * The artifacts are TypeScript, because the build copies no other files, and are committed, so starting needs no
 * compiler.
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
  // A fork that every EVM chain has by now, so that a node's default never decides what runs.
  evmVersion: 'shanghai',
  optimizer: { enabled: true, runs: 200 },
  // Without a digest of paths and comments at the end the same rules give the same bytes.
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
