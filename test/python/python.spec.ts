import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { transformedSources } from '../doubles/transformed-sources.js';
import { hireAndWait, lastLine, LONG_MS, postJob, programOf, ROOT, run } from '../packed/installing.js';
import { ServiceProcess } from '../world/service-process.js';
import { CLIENT, Installed } from './installing.js';

const README = join(CLIENT, 'README.md');

let folder: string;
let service: ServiceProcess;
let client: Installed;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'python-'));
  const sources = transformedSources();
  await run(ROOT, process.execPath, ['apps/pack-clients.mjs', join(sources, 'clients')]);
  const data = join(folder, 'service');
  service = await ServiceProcess.whole(folder, { CHAIN: 'dev', DATA_DIR: data, PORT: '0', DEV_CHAIN_PORTS: '0,0' });
  client = await Installed.into(folder, service.url);
}, LONG_MS);

afterAll(async () => {
  await (service as ServiceProcess | undefined)?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const saved = (name: string, source: string): string => {
  writeFileSync(join(folder, name), source);
  return name;
};

const runProgram = async (name: string, source: string) =>
  (await client.python([saved(name, source)], { SERVICE: service.url })).stdout;

describe('the wheel that pip installs from the address of a service', () => {
  test.each(['work.py', 'work_async.py'])(
    'finds a job and delivers it as its README says in %s',
    async name => {
      const job = await postJob(service.url);
      const [hire, stdout] = await Promise.all([hireAndWait(job), runProgram(name, programOf(README, name))]);
      expect(lastLine(stdout)).toBe(`delivered ${hire}`);
    },
    60_000,
  );

  test('contains the package, its types and its licence, but no test', async () => {
    const { stdout } = await client.python(['-m', 'pip', 'show', '--files', 'agent-job-network-client']);
    const names = [...stdout.matchAll(/^ +(\S+\/\S+)$/gm)]
      .map(([, name]) => name!)
      .filter(name => !/\.pyc$/.test(name));
    expect(names).toEqual(expect.arrayContaining(['agent_job_network/py.typed', 'agent_job_network/client.py']));
    expect(names).toContainEqual(expect.stringMatching(/dist-info\/licenses\/LICENSE$/));
    expect(names.filter(name => !/^agent_job_network(_client-[\d.]+\.dist-info)?\//.test(name))).toEqual([]);
  });

  test('depends on its imports and loads payment packages only to pay', async () => {
    const source = [
      'import sys',
      'from importlib.metadata import requires',
      'import agent_job_network',
      "print(sorted(each.partition('<')[0] for each in requires('agent-job-network-client') or []))",
      "print([name for name in ('eth_account', 'x402', 'web3') if name in sys.modules])",
    ];
    const { stdout } = await client.python([saved('imports.py', source.join('\n'))]);
    const needed = ['cryptography', 'eth-account', 'httpx2', 'typing-extensions', 'x402'];
    expect(stdout).toBe(`[${needed.map(name => `'${name}'`).join(', ')}]\n[]\n`);
  });
});

describe('with the packages of the tests', () => {
  beforeAll(() => client.addRequirements(), LONG_MS);

  test.each(['blocking', 'async'])(
    'the wheel passes its own tests with %s clients',
    async kind => {
      const argv = ['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-s', join(CLIENT, 'tests')];
      const { stderr } = await client.python(argv, { CLIENT: kind });
      expect(stderr).toMatch(/^Ran ([78]\d|\d{3}) tests/m);
      expect(lastLine(stderr)).toBe('OK');
    },
    120_000,
  );

  describe('types', () => {
    const check = (...argv: string[]) =>
      client.python(['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy'), ...argv], {
        MYPYPATH: join(CLIENT, 'tests'),
      });

    test('pass a strict check of the package and its tests, also for the oldest Python', async () => {
      for (const version of ['3.10', '3.13'])
        await check('--python-version', version, join(CLIENT, 'src'), join(CLIENT, 'tests'));
    }, 240_000);

    test('match the declarations of the service for a user of the wheel', async () => {
      const head =
        'from agent_job_network import AgentClient, AsyncAgentClient\nada = AgentClient.with_key("http://127.0.0.1:1", "new")\n';
      const right =
        'number: int = next(ada.inbox_items())["id"]\ntitle: str | None = ada.roles()["roles"][0]["title"]\n';
      const awaited = 'async def count(ben: AsyncAgentClient) -> int:\n    return len((await ben.roles())["roles"])\n';
      await check(saved('right.py', head + right + awaited));
      const wrong = ['ada.feed(kind="nonsense")', 'ada.apply(role="job-1")', 'ada.roles()["rolls"]'];
      await expect(check(saved('wrong.py', `${head}${wrong.join('\n')}\n`))).rejects.toMatchObject({
        stdout: expect.stringMatching(/wrong\.py:3.*nonsense[^]*wrong\.py:4.*"note"[^]*wrong\.py:5.*"rolls"/),
      });
    }, 120_000);
  });
});

describe('with a running service', () => {
  test('pays as its README says', async () => {
    const output = await runProgram('pay.py', programOf(README, 'pay.py'));
    expect(output).toMatch(/^job-\d+ \{/);
    expect(output).toContain("'amount': '1500000'");
    expect(lastLine(output)).toMatch(/^This costs 15 USD, above the cap of 2 USD/);
  }, 60_000);

  test('runs a job from post to paid between two agents with keys', async () => {
    const output = await runProgram('story.py', readFileSync(join(ROOT, 'test', 'python', 'story.py'), 'utf8'));
    expect(lastLine(output)).toBe('paid 10000000 on base');
  }, 60_000);

  test('signs requests that pass an audit', async () => {
    const auditor = join(transformedSources(), 'apps', 'auditor', 'main.js');
    const { stdout } = await run(folder, process.execPath, [auditor, 'verify', '--from', service.url]);
    expect(stdout).toContain('Nothing is wrong.');
  }, 60_000);
});
