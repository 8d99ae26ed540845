import { describe, expect, test } from '@jest/globals';
import * as tidy from './tidy.sources.js';

const code = tidy.sources('apps', 'libs');
const naming = (found: tidy.Source[]) => found.map(({ path }) => path);
/** The imports of the project from outside a library that are not into one of those allowed. */
function strays(folder: string, allowed: readonly string[]): string[] {
  return tidy.sources(folder).flatMap(source =>
    tidy
      .importsOf(source)
      .map(specifier => [specifier, tidy.reaches(source, specifier)] as const)
      .filter(([, reached]) => reached !== null && reached !== folder && !allowed.includes(reached))
      .map(([specifier]) => `${source.path}: ${specifier}`),
  );
}

describe('who imports whom', () => {
  test('kernel imports nothing of the project', () => {
    expect(strays('libs/kernel', [])).toEqual([]);
  });

  test('checks import the kernel only', () => {
    expect(strays('libs/checks', ['libs/kernel'])).toEqual([]);
  });

  test('streams import the kernel, and the checks of what a profile holds', () => {
    expect(strays('libs/streams', ['libs/kernel', 'libs/checks'])).toEqual([]);
  });

  test('the client imports nothing of the server', () => {
    expect(strays('libs/client', ['libs/kernel', 'libs/signing'])).toEqual([]);
  });

  test('a feature never imports another feature', () => {
    const all = 'libs/features/features.ts';
    const found = tidy
      .sources('libs/features')
      .filter(({ path }) => path !== all)
      .flatMap(source =>
        tidy
          .importsOf(source)
          .map(specifier => [specifier, featureOfImport(source, specifier)] as const)
          .filter(([, feature]) => feature !== undefined && feature !== tidy.featureOf(source.path))
          .map(([specifier]) => `${source.path}: ${specifier}`),
      );
    expect(found).toEqual([]);
  });

  test('no library imports an app, and no app another one', () => {
    const foreign = (source: tidy.Source, specifier: string) => {
      const reached = tidy.reaches(source, specifier);
      return reached?.startsWith('apps/') && reached !== tidy.folderOf(source);
    };
    const found = code.filter(source => tidy.importsOf(source).some(specifier => foreign(source, specifier)));
    expect(naming(found)).toEqual([]);
  });

  test('no libraries import each other, by whatever detour, types included', () => {
    expect(tidy.cycles(tidy.importGraph(code))).toEqual([]);
  });

  test('a cycle is found and named, a detour to the same library is none', () => {
    const graph = (...edges: [string, ...string[]][]) => new Map(edges.map(([from, ...to]) => [from, new Set(to)]));
    expect(tidy.cycles(graph(['a', 'b', 'c'], ['b', 'c'], ['c', 'd']))).toEqual([]);
    expect(tidy.cycles(graph(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']))).toEqual(['a -> b -> c -> a']);
  });

  test('what puts the service together imports features, and the pages over them, and no other library', () => {
    const others = tidy
      .sources('libs')
      .filter(source => !['libs/features', 'libs/pages', 'libs/service'].includes(tidy.folderOf(source)));
    expect(naming(others.filter(source => tidy.importsOf(source).some(tidy.featureOf)))).toEqual([]);
  });

  test('another library is imported by its alias, a file of one’s own by a relative path', () => {
    const wrong = tidy.sources('libs').flatMap(source => {
      const own = tidy.folderOf(source);
      const bad = (specifier: string) => specifier.startsWith('.') !== (tidy.reaches(source, specifier) === own);
      return tidy
        .importsOf(source)
        .filter(specifier => tidy.reaches(source, specifier) !== null && bad(specifier))
        .map(specifier => `${source.path}: ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });
});

function featureOfImport(source: tidy.Source, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return tidy.featureOf(specifier);
  return tidy.featureOf(new URL(specifier, `file:///${source.path}`).pathname.slice(1));
}
