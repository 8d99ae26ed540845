import { existsSync, readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { FEATURES } from '#libs/features/features.js';
import { type Source, sources } from './tidy.sources.js';

const DECISIONS = new URL('./vectors/decisions/', import.meta.url);
/** Specs about the lists of codes themselves. */
const ABOUT_LISTS = /(declared-refusals|undeclared-codes)/;
const IMPORTS = /import (?:type )?\{([^}]*)\} from '#libs\/features\/[\w/-]*\/([\w-]+)\.js'/g;

interface Recorded {
  readonly outcome: { readonly refused?: string };
  readonly variants: { readonly [what: string]: string };
}

/** Codes that the recorded decisions of a command and their variants are refused with. */
function recordedCodes(name: string): ReadonlySet<string> {
  const files = existsSync(DECISIONS) ? readdirSync(DECISIONS).filter(file => file.startsWith(`${name}.v`)) : [];
  const recorded = files.flatMap(file => JSON.parse(readFileSync(new URL(file, DECISIONS), 'utf8')) as Recorded[]);
  return new Set(
    recorded.flatMap(({ outcome, variants }) => [
      outcome.refused ?? '',
      ...Object.values(variants).map(text => text.split(' ')[0]!),
    ]),
  );
}

/** Statements at the top of a spec, each with the declarations of the file that it uses. */
function statementsOf({ tree, text }: Source): { readonly text: string; readonly imports: string }[] {
  const declared = new Map<string, ts.Statement>();
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name) declared.set(statement.name.text, statement);
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations)
        if (ts.isIdentifier(name)) declared.set(name.text, statement);
  }
  const expand = (statement: ts.Statement, seen: Set<ts.Statement>): string => {
    if (seen.has(statement)) return '';
    seen.add(statement);
    const own = statement.getText();
    const used = new Set(
      own
        .match(/\w+/g)
        ?.map(name => declared.get(name))
        .filter(each => each !== undefined),
    );
    return [own, ...[...used].map(each => expand(each, seen))].join('\n');
  };
  const tests = tree.statements.filter(statement => ts.isExpressionStatement(statement));
  return tests.map(statement => ({ text: expand(statement, new Set()), imports: text }));
}

/** Whether the text calls the command by its name or its path, as a method of an agent or by what its file exports. */
function mentions({ text, imports }: { readonly text: string; readonly imports: string }, name: string): boolean {
  if (new RegExp(`['"\`/]${name}['"\`?]|\\.${name}\\(`).test(text)) return true;
  const file = new RegExp(`^(post-)?${name.replaceAll('_', '-')}$`);
  const exported = [...imports.matchAll(IMPORTS)].flatMap(([, names, from]) =>
    file.test(from!) ? names!.split(',') : [],
  );
  return exported.some(each => new RegExp(`\\b${each.trim().split(' ').at(-1)}\\b`).test(text));
}

/** Each code in the errors of a command that neither a recorded decision nor a test of the command produces. */
export function codesWithoutTest(): string[] {
  const specs = sources('test/unit', 'test/flows', 'test/faults', 'test/sweeps');
  const tests = specs.filter(({ path }) => !ABOUT_LISTS.test(path)).flatMap(statementsOf);
  return FEATURES.flatMap(({ commands }) => commands).flatMap(({ name, errors }) => {
    const recorded = recordedCodes(name);
    const isTested = (code: string) =>
      tests.some(
        test => test.text.includes(code) && new RegExp(`\\b${code}\\b`).test(test.text) && mentions(test, name),
      );
    return errors
      .filter(code => !recorded.has(code) && !isTested(code))
      .map(
        code => `${name}: ${code} is in no recorded decision and no test; test/unit/features has those of each command`,
      );
  });
}
