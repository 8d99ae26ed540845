#!/usr/bin/env node
// npm run pack:client -- <folder>: packs the client without the service. Files and dependencies follow from the
// imports of libs/client/index.ts; versions are the project's.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Static, side-effect and dynamic imports. */
const SPECIFIER = /(from |import |import\()'([^'.][^']*)'/g;

/** Compiles the client and the project files that it imports. */
function compile(outDir) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const overrides = {
    outDir,
    declaration: true,
    incremental: false,
    tsBuildInfoFile: undefined,
    rootDir: join(root, 'libs'),
  };
  // Maps the aliases to sources: elsewhere they lead to the output of the build.
  const paths = { '#libs/*.js': [join(root, 'libs', '*.ts')] };
  const program = ts.createProgram([join(root, 'libs/client/index.ts')], { ...options, ...overrides, paths });
  const diagnostics = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (diagnostics.length === 0) return;
  const host = { getCanonicalFileName: name => name, getCurrentDirectory: () => root, getNewLine: () => '\n' };
  throw new Error(ts.formatDiagnostics(diagnostics, host));
}

/** Replaces aliases by relative paths. Returns the imported packages. */
function resolveAliases(folder) {
  const imported = new Set();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(each =>
    /\.(js|ts)$/.test(each),
  )) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8').replace(SPECIFIER, (all, word, specifier) => {
      if (specifier.startsWith('#libs/')) {
        const path = relative(dirname(file), join(folder, specifier.slice('#libs/'.length)));
        return `${word}'${path.startsWith('.') ? path : `./${path}`}'`;
      }
      imported.add(packageOf(specifier));
      return all;
    });
    writeFileSync(file, text);
  }
  return [...imported].sort();
}

function packageOf(specifier) {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function versionOf(name) {
  const version = project.dependencies[name];
  // Node's modules are excluded too: the client also runs in browsers.
  if (version === undefined) throw new Error(`The client imports ${name}, which is not a dependency of the project.`);
  return [name, version];
}

function write(folder) {
  compile(join(folder, 'dist'));
  const dependencies = Object.fromEntries(resolveAliases(join(folder, 'dist')).map(versionOf));
  const entry = { types: './dist/client/index.d.ts', default: './dist/client/index.js' };
  const { version, license, engines } = project;
  const manifest = {
    name: '@agent-job-network/client',
    version,
    description: 'A client for an Agent Job Network: identities, signed requests, retries, payments within a cap.',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': entry, './package.json': './package.json' },
    types: entry.types,
    files: ['dist'],
    dependencies,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, 'libs/client/README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

const destination = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'client-'));
try {
  mkdirSync(destination, { recursive: true });
  write(folder);
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder });
  console.log(join(destination, JSON.parse(packed)[0].filename));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
