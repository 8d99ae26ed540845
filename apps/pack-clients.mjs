// node apps/pack-clients.mjs <folder>: packs the clients for npm and pip. Equal sources give equal files.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { tgzOf, zipOf } from './archives.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const textOf = path => readFileSync(join(root, path), 'utf8');
const project = JSON.parse(textOf('package.json'));
const { version, license, engines } = project;
const description = 'A client for an Agent Job Network: identities, signed requests, retries, payments within a cap.';
/** Static, side-effect and dynamic imports. */
const SPECIFIER = /(from |import |import\()'([^'.][^']*)'/g;

/** Returns the compiled client with the project files that it imports. The build has checked their types. */
function compile() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const overrides = { outDir: '/', rootDir: join(root, 'libs'), declaration: true, incremental: false };
  // Maps the aliases to sources: elsewhere they lead to the output of the build.
  const paths = { '#libs/*.js': [join(root, 'libs', '*.ts')] };
  const all = { ...options, ...overrides, tsBuildInfoFile: undefined, paths };
  const files = {};
  const program = ts.createProgram([join(root, 'libs/client/index.ts')], all);
  const { diagnostics } = program.emit(undefined, (name, text) => (files[name.slice(1)] = text));
  if (diagnostics.length === 0) return files;
  const host = { getCanonicalFileName: name => name, getCurrentDirectory: () => root, getNewLine: () => '\n' };
  throw new Error(ts.formatDiagnostics(diagnostics, host));
}

/** Files and dependencies follow from the imports of `libs/client/index.ts`. */
function npmPackage() {
  const [dist, dependencies] = [{}, {}];
  for (const [name, text] of Object.entries(compile()).sort())
    dist[`package/dist/${name}`] = text.replace(SPECIFIER, (all, word, specifier) => {
      if (!specifier.startsWith('#libs/')) {
        Object.assign(dependencies, dependencyOf(specifier));
        return all;
      }
      const path = relative(dirname(name), specifier.slice('#libs/'.length));
      return `${word}'${path.startsWith('.') ? path : `./${path}`}'`;
    });
  const entry = { types: './dist/client/index.d.ts', default: './dist/client/index.js' };
  const manifest = {
    name: '@agent-job-network/client',
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': entry, './package.json': './package.json' },
    types: entry.types,
    files: ['dist'],
    dependencies: Object.fromEntries(Object.entries(dependencies).sort()),
  };
  return tgzOf({
    'package/package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'package/LICENSE': textOf('LICENSE'),
    'package/README.md': textOf('libs/client/README.md'),
    ...dist,
  });
}

function dependencyOf(specifier) {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  // Node's modules are excluded too: the client also runs in browsers.
  if (project.dependencies[name] === undefined) throw new Error(`The client imports ${name}, which is no dependency.`);
  return { [name]: project.dependencies[name] };
}

const WHEEL_HEADERS = [
  'Wheel-Version: 1.0',
  'Generator: agent-job-network',
  'Root-Is-Purelib: true',
  'Tag: py3-none-any',
];
const PYTHON_DEPENDENCIES = [
  'cryptography<51,>=46',
  'eth-account<0.15,>=0.13.7',
  'httpx2<3,>=2.14',
  'typing-extensions<5,>=4.13',
  'x402<3,>=2.25',
];

function wheel(pythonFiles) {
  const info = `agent_job_network_client-${version}.dist-info`;
  const source = 'libs/client-python/src/agent_job_network';
  const made = pythonFiles(textOf(`${source}/async_client.py`));
  const names = readdirSync(join(root, source)).filter(name => /\.(py|typed)$/.test(name));
  const modules = { ...Object.fromEntries(names.map(name => [name, textOf(`${source}/${name}`)])), ...made };
  const headers = [
    'Metadata-Version: 2.4',
    'Name: agent-job-network-client',
    `Version: ${version}`,
    `Summary: ${description}`,
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    'Classifier: Typing :: Typed',
    'Requires-Python: >=3.10',
    ...PYTHON_DEPENDENCIES.map(each => `Requires-Dist: ${each}`),
    'Description-Content-Type: text/markdown',
  ];
  const files = {
    ...Object.fromEntries(
      Object.entries(modules)
        .sort()
        .map(([name, text]) => [`agent_job_network/${name}`, text]),
    ),
    [`${info}/METADATA`]: `${headers.join('\n')}\n\n${textOf('libs/client-python/README.md')}`,
    [`${info}/WHEEL`]: `${WHEEL_HEADERS.join('\n')}\n`,
    [`${info}/licenses/LICENSE`]: textOf('LICENSE'),
  };
  const recorded = Object.entries(files).map(([path, text]) => {
    const digest = createHash('sha256').update(text).digest('base64url');
    return `${path},sha256=${digest},${Buffer.byteLength(text)}\n`;
  });
  return zipOf({ ...files, [`${info}/RECORD`]: `${recorded.join('')}${info}/RECORD,,\n` });
}

/** `pythonFiles` makes the modules that are not committed. */
export function packClients(folder, pythonFiles) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `agent-job-network-client-${version}.tgz`), npmPackage());
  writeFileSync(join(folder, `agent_job_network_client-${version}-py3-none-any.whl`), wheel(pythonFiles));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Without a build, the loader of the tests reads the sources.
  await import('../test/setup/typescript-loader.mjs');
  const { pythonFiles } = await import('#apps/generate/python-files.js');
  packClients(process.argv[2], pythonFiles);
}
