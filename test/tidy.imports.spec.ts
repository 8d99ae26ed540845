import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { folderOf, importedPath, importGraph, importsOf } from '#apps/generate/import-graph.js';
import { FEATURES } from '#libs/features/features.js';
import * as tidy from './tidy.sources.js';

const code = tidy.sources('apps', 'libs');
const graph = importGraph(code, tidy.libraryOf);
const libraries = [...graph.keys()];
/** Parts of features that are open to others. */
const PUBLIC = /\/(domain|views)\/|\/public\.js$/;
const featureOf = (path: string) => /libs\/features\/([^/]+)\//.exec(path)?.[1];
const naming = (list: tidy.Source[]) => list.map(({ path }) => path);
/** Returns the imports of a library that lead to a library that is not allowed. */
function strays(folder: string, allowed: readonly string[]): string[] {
  return code
    .filter(source => tidy.folderOf(source) === folder)
    .flatMap(source =>
      importsOf(source)
        .map(specifier => [specifier, tidy.reaches(source, specifier)] as const)
        .filter(([, reached]) => reached !== null && reached !== folder && !allowed.includes(reached))
        .map(([specifier]) => `${source.path}: ${specifier}`),
    );
}

describe('the arrows between libraries', () => {
  test('kernel imports nothing of the project', () => {
    expect(strays('libs/kernel', [])).toEqual([]);
  });

  test('values import the kernel only, and validation these two', () => {
    expect(strays('libs/values', ['libs/kernel'])).toEqual([]);
    expect(strays('libs/validation', ['libs/kernel', 'libs/values'])).toEqual([]);
  });

  test('programs that run before the build import by path', () => {
    // The aliases of package.json lead to compiled modules only.
    const programs = tidy.filesOf('apps').filter(path => path.endsWith('.mjs'));
    expect(programs.length).toBeGreaterThan(2);
    expect(programs.filter(path => /['"]#(apps|libs)\/[^'"]*\.mjs['"]/.test(tidy.textOf(path)))).toEqual([]);
  });

  test('the domain imports kernel, values and validation only', () => {
    const domains = libraries.filter(name => /^libs\/(domain|features\/.*\/domain)$/.test(name));
    expect(domains.length).toBeGreaterThan(10);
    for (const name of domains)
      expect(strays(name, ['libs/kernel', 'libs/values', 'libs/validation', ...domains])).toEqual([]);
  });

  test('the event log and the documents import nothing of the domain', () => {
    const below = ['libs/kernel', ...libraries.filter(name => name.startsWith('libs/platform/'))];
    expect(strays('libs/event-log', below)).toEqual([]);
    expect(strays('libs/documents', [...below, 'libs/event-log', 'libs/terminal'])).toEqual([]);
  });

  test('the pipeline knows no muse, payment or claim', () => {
    const imports = importsOf(tidy.source('libs/http/write-pipeline.ts'));
    const general = /^(\.\/|node:|fastify$|#libs\/(kernel|validation|platform)\/)/;
    expect(imports.filter(specifier => !general.test(specifier))).toEqual([]);
  });

  test('views import nothing of a request', () => {
    const views = libraries.filter(name => /^libs\/(views|features\/.*\/views)$/.test(name));
    expect(views.length).toBeGreaterThan(10);
    const ofRequests = /^libs\/(http|endpoints|channels|service|setup|features\/[^/]+)$/;
    const registry = ['libs/features/streams'];
    const wrong = views.flatMap(name => [...(graph.get(name) ?? [])].filter(reached => ofRequests.test(reached)));
    expect(wrong.filter(name => !registry.includes(name))).toEqual([]);
  });

  test('the client imports nothing of the server', () => {
    expect(strays('libs/client', ['libs/kernel', 'libs/platform/signing'])).toEqual([]);
  });

  test('a feature imports the domain, the views and the public file of another one', () => {
    const importers = code.flatMap(source => {
      const own = featureOf(source.path);
      const isPrivate = (path: string) => ![undefined, own].includes(featureOf(path)) && !PUBLIC.test(path);
      return own === undefined
        ? []
        : importsOf(source)
            .filter(specifier => isPrivate(specifier))
            .map(specifier => `${source.path}: ${specifier}`);
    });
    expect(importers).toEqual([]);
  });

  test('no library imports an app, and no app another one', () => {
    const foreign = (source: tidy.Source, specifier: string) => {
      const reached = tidy.reaches(source, specifier);
      return reached?.startsWith('apps/') && reached !== tidy.folderOf(source);
    };
    const importers = code.filter(source => importsOf(source).some(specifier => foreign(source, specifier)));
    expect(naming(importers)).toEqual([]);
  });

  test('folders import each other without cycles, types included', () => {
    expect(tidy.cycles(importGraph(code, folderOf))).toEqual([]);
  });

  test('a feature imports only features that come before it', () => {
    const order = FEATURES.map(({ name }) => `libs/features/${name}`);
    const wrong = [...importGraph(code, folderOf)].flatMap(([from, targets]) =>
      order.includes(from)
        ? order.slice(order.indexOf(from)).flatMap(later => (targets.has(later) ? [`${from}: ${later}`] : []))
        : [],
    );
    expect(order.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  test('the list of projections passes on every step that a feature declares', () => {
    const list = tidy.textOf('libs/features/projections.ts');
    const declared = code
      .filter(({ path }) => /^libs\/features\/.*\/views\//.test(path))
      .flatMap(({ text }) => [...text.matchAll(/^export const ([A-Z_]+_(STEPS|NOTIFICATIONS)) /gm)])
      .map(([, name]) => name!);
    expect(declared.length).toBeGreaterThan(15);
    expect(declared.filter(name => !list.includes(name))).toEqual([]);
  });

  test('architecture.md describes the features in their order', () => {
    const rows = [...tidy.textOf('docs/architecture.md').matchAll(/^\| +\d+ +\| `([a-z-]+)` +\|/gm)];
    expect(rows.map(([, name]) => name)).toEqual(FEATURES.map(({ name }) => name));
  });

  test('reports a cycle, but not two paths to one library', () => {
    const of = (...edges: [string, ...string[]][]) => new Map(edges.map(([from, ...to]) => [from, new Set(to)]));
    expect(tidy.cycles(of(['a', 'b', 'c'], ['b', 'c'], ['c', 'd']))).toEqual([]);
    expect(tidy.cycles(of(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']))).toEqual(['a -> b -> c -> a']);
  });

  test('only apps, channels and the service import the endpoints of features', () => {
    const mayImport = /^(apps|libs\/(features|channels|service))\//;
    const importers = code
      .filter(({ path }) => !mayImport.test(path))
      .filter(source =>
        importsOf(source).some(specifier => featureOf(specifier) !== undefined && !PUBLIC.test(specifier)),
      );
    expect(naming(importers)).toEqual([]);
  });

  test('the own folder, and below it, is imported by path, and every other one by alias', () => {
    const wrong = tidy.sources('libs', 'apps').flatMap(source => {
      const folder = `${dirname(source.path)}/`;
      const isBad = (specifier: string) =>
        specifier.startsWith('.') !== importedPath(source, specifier)?.startsWith(folder);
      return importsOf(source)
        .filter(specifier => importedPath(source, specifier) !== null && isBad(specifier))
        .map(specifier => `${source.path}: ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });
});
