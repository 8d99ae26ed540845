import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { pythonFiles } from '#apps/generate/python-files.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { python } from '#libs/channels/pages/docs/snippets/python.js';
import { hasClientMethod, type Sample, sampleOf } from '#libs/channels/pages/docs/snippets/sample.js';
import { pythonWithFile, typescriptWithFile } from '#libs/channels/pages/connect/key-programs.js';
import { typescript } from '#libs/channels/pages/docs/snippets/typescript.js';
import { ROUTES } from '#libs/service/routes.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ASYNC_CLIENT = `${ROOT}libs/client-python/src/agent_job_network/async_client.py`;
const SERVICE = 'https://jobs.example';
const describedWith = (tag: string) => new ApiDescription({ baseUrl: SERVICE }, tag, ROUTES);
const api = describedWith('service-v1');
const { operations } = api;
const samplesOf = (described: ApiDescription) =>
  described.operations.map(operation => ({ id: operation.id, sample: sampleOf(operation, described) }));
const samples = samplesOf(api);
const tagged = samplesOf(describedWith('jobs-v1'));
const COMPILER_MS = 120_000;

/** Type-checks modules as files of this folder, with the client under its package name. */
function complaintsOf(modules: ReadonlyMap<string, string>): string[] {
  const config = ts.readConfigFile(`${ROOT}tsconfig.json`, path => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const paths = { ...options.paths, '@agent-job-network/client': ['./libs/client/index.ts'] };
  const host = ts.createCompilerHost({ ...options, paths, noEmit: true });
  const read = host.readFile.bind(host);
  const isFile = host.fileExists.bind(host);
  host.readFile = path => modules.get(path) ?? read(path);
  host.fileExists = path => modules.has(path) || isFile(path);
  const rootNames = [...modules.keys()];
  const program = ts.createProgram({ rootNames, options: { ...options, paths, noEmit: true }, host });
  return rootNames.flatMap(path => {
    const file = program.getSourceFile(path)!;
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });
}

const moduleOf = (id: string) => `${ROOT}test/unit/pages/snippet-of-${id}.ts`;

/** Finds unknown methods and unknown or missing fields in calls of the Python client. */
const PYTHON_CHECK = `
import ast, json, sys

def methods(text):
    found = {}
    for kind in ast.walk(ast.parse(text)):
        if isinstance(kind, ast.ClassDef):
            for each in kind.body:
                if isinstance(each, ast.FunctionDef):
                    found[each.name] = each.args
    return found

modules, snippets = json.load(sys.stdin)
known = {**methods(modules["client.py"]), **methods(modules["operations.py"])}
wrong = []
for name, text in snippets.items():
    compile(text, name, "exec")
    for call in ast.walk(ast.parse(text)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if ast.unparse(call.func.value) not in ("agent", "network", "AgentClient"):
            continue
        takes = known.get(call.func.attr)
        if takes is None:
            wrong.append(f"{name}: there is no {call.func.attr}")
            continue
        given = {each.arg for each in call.keywords}
        names = [each.arg for each in takes.kwonlyargs]
        needed = {each for each, value in zip(names, takes.kw_defaults) if value is None}
        if takes.kwarg is None and given - set(names):
            wrong.append(f"{name}: {call.func.attr} takes no {given - set(names)}")
        if needed - given:
            wrong.append(f"{name}: {call.func.attr} needs {needed - given}")
print(json.dumps(wrong))
`;

const pythonFaults = (snippets: { readonly [name: string]: string }): unknown =>
  JSON.parse(
    execFileSync('python3', ['-c', PYTHON_CHECK], {
      input: JSON.stringify([pythonFiles(readFileSync(ASYNC_CLIENT, 'utf8')), snippets]),
      encoding: 'utf8',
    }),
  );

describe('a TypeScript snippet', () => {
  test(
    'compiles with the types of the client for every operation',
    () => {
      const moduleText = (sample: Sample) => `${typescript(sample)}\nexport {};\n`;
      const modules = new Map([
        ...samples.map(({ id, sample }) => [moduleOf(id), moduleText(sample)] as const),
        ...tagged.map(({ id, sample }) => [moduleOf(`tagged-${id}`), moduleText(sample)] as const),
        ...[api, describedWith('jobs-v1')].map(
          (target, at) => [moduleOf(`key-${at}`), typescriptWithFile(target)] as const,
        ),
      ]);
      expect(complaintsOf(modules)).toEqual([]);
    },
    COMPILER_MS,
  );

  test(
    'does not compile with an unknown field or method',
    () => {
      const apply = typescript(samples.find(({ id }) => id === 'apply')!.sample);
      const wrong = [apply.replace('note:', 'notes:'), apply.replace('agent.apply', 'agent.applies')];
      const modules = new Map(wrong.map((text, at) => [moduleOf(`wrong-${at}`), text]));
      expect(complaintsOf(modules)).toEqual([
        expect.stringContaining("'notes' does not exist"),
        expect.stringContaining("'applies' does not exist"),
      ]);
    },
    COMPILER_MS,
  );
});

describe('a Python snippet', () => {
  test('compiles and calls existing methods and fields for every operation', () => {
    for (const all of [samples, tagged])
      expect(pythonFaults(Object.fromEntries(all.map(({ id, sample }) => [id, python(sample)])))).toEqual([]);
    expect(pythonFaults({ plain: pythonWithFile(api), tagged: pythonWithFile(describedWith('jobs-v1')) })).toEqual([]);
  });

  test('is rejected with an unknown field or method', () => {
    const apply = python(samples.find(({ id }) => id === 'apply')!.sample);
    const wrong = { field: apply.replace('note=', 'notes='), method: apply.replace('agent.apply', 'agent.applies') };
    expect(pythonFaults(wrong)).toEqual([
      "field: apply takes no {'notes'}",
      "field: apply needs {'note'}",
      'method: there is no applies',
    ]);
  });
});

describe('the snippets of all operations', () => {
  test('begin with the command that installs the client they import', () => {
    const command = `install ${SERVICE}/clients/agent[-_]job[-_]network[-_]client-0\\.9\\.0`;
    for (const { id, sample } of samples)
      for (const [text, imports, begin] of [
        [typescript(sample), "from '@agent-job-network/client'", `^// npm ${command}\\.tgz\nimport `],
        [python(sample), 'from agent_job_network ', `^# pip ${command}-py3-none-any\\.whl\n(import secrets\n\n)?from `],
      ] as const)
        expect([id, new RegExp(begin).test(text)]).toEqual([id, text.includes(imports)]);
  });

  const textsOf = (all: typeof samples) =>
    new Map(all.map(({ id, sample }) => [id, [typescript(sample), python(sample)].join('\n')]));

  test('name the tag of the service when they create a key', () => {
    const [plain, own] = [textsOf(samples), textsOf(tagged)];
    const differing = [...own].filter(([id, text]) => text !== plain.get(id));
    expect(differing.map(([id]) => id)).toEqual(['register', 'identity']);
    expect(own.get('register')).toContain(`withKey('${SERVICE}', 'new', { tag: 'jobs-v1' })`);
    expect(own.get('register')).toMatch(
      /with_key\(\s*"https:\/\/jobs.example",\s*"new",\s*ClientOptions\(tag="jobs-v1"\)/,
    );
    expect(own.get('identity')).toContain("{ tag: 'jobs-v1', wallet: ");
    expect(own.get('identity')).toContain('ClientOptions(tag="jobs-v1", wallet=');
  });
});

test('call a client method for every JSON response except operator signatures', () => {
  const json = samples.filter((_sample, at) => operations[at]!.answer.type === 'application/json');
  expect(json.filter(({ sample }) => !hasClientMethod(sample)).map(({ id }) => id)).toEqual(['verify_operator']);
});
