import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { ROUTES } from '#libs/service/routes.js';
import { install, LONG_MS, ROOT, run } from '../packed/installing.js';

const FROM_NPM = ['@hey-api/openapi-ts@0.94.0', 'orval@7.13.0'];
const FROM_PYPI = 'openapi-python-client==0.29.1';
/** Pictures and feeds: the generator omits answers of these media types with one warning each. */
const WARNINGS_MAX = 15;
const TSC_OPTIONS = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';

let folder: string;
let description: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generators-'));
  description = join(folder, 'openapi.json');
  const { json } = new ApiDescription({ baseUrl: 'https://jobs.example' }, 'service-v1', ROUTES);
  writeFileSync(description, json);
  await install(join(folder, 'npm'), ...FROM_NPM);
}, LONG_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const generate = (name: string, ...argv: string[]) =>
  run(folder, join(folder, 'npm', 'node_modules', '.bin', name), argv);

async function compile(file: string): Promise<string> {
  const options = [...TSC_OPTIONS.split(' '), '--lib', 'es2022,dom,dom.iterable'];
  await run(folder, join(ROOT, 'node_modules', '.bin', 'tsc'), [...options, file]);
  return readFileSync(file, 'utf8');
}

test(
  'hey-api generates types that compile and have the failures and offers',
  async () => {
    await generate('openapi-ts', '-i', description, '-o', join(folder, 'hey'), '--no-log-file');
    await compile(join(folder, 'hey', 'sdk.gen.ts'));
    const types = await compile(join(folder, 'hey', 'types.gen.ts'));
    for (const name of ['Failure', 'PaymentRequired', 'VerifyAnswer'])
      expect(types).toMatch(new RegExp(`^export type ${name} = `, 'm'));
    expect(types.split('export type VerifyErrors = {')[1]!.split('\n};')[0]).toContain('402: PaymentRequired;');
  },
  LONG_MS,
);

test(
  'orval generates functions that compile and have the failures and offers',
  async () => {
    const file = join(folder, 'orval.ts');
    await generate('orval', '--input', description, '--output', file, '--client', 'fetch');
    const source = await compile(file);
    for (const name of ['Failure', 'PaymentRequired', 'VerifyAnswer'])
      expect(source).toMatch(new RegExp(`^export (interface|type) ${name} `, 'm'));
    expect(source).toMatch(/^export type verifyResponse402ApplicationJson = \{\s*data: PaymentRequired\s/m);
  },
  LONG_MS,
);

test(
  'openapi-python-client generates modules that have the failures and offers',
  async () => {
    const python = (...argv: string[]) => run(folder, join(folder, 'venv', 'bin', 'python'), argv);
    await run(folder, 'python3', ['-m', 'venv', join(folder, 'venv')]);
    await python('-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', FROM_PYPI);
    const argv = ['generate', '--path', description, '--output-path', join(folder, 'jobs_client'), '--meta', 'none'];
    const { stdout, stderr } = await python('-m', 'openapi_python_client', ...argv);
    expect((stdout + stderr).match(/^(WARNING|ERROR)/gm)?.length ?? 0).toBeLessThanOrEqual(WARNINGS_MAX);
    await python('-W', 'error', '-m', 'compileall', '-q', 'jobs_client');
    const modules = readdirSync(join(folder, 'jobs_client', 'api'), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.py') && !path.endsWith('__init__.py'))
      .map(path => `import jobs_client.api.${path.slice(0, -'.py'.length).replaceAll('/', '.')}`);
    expect(modules.length).toBeGreaterThan(100);
    const source = [...modules, 'from jobs_client.models import Failure, PaymentRequired, VerifyAnswer'];
    writeFileSync(join(folder, 'imports.py'), source.join('\n'));
    await python('imports.py');
    const verify = readFileSync(join(folder, 'jobs_client', 'api', 'verification', 'verify.py'), 'utf8');
    expect(verify).toMatch(/response_402 = PaymentRequired\.from_dict/);
  },
  LONG_MS,
);
