import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { source } from './tidy.sources.js';

/** Code of a refusal, with a status if the source sets one: `not_found` or `no_key 409`. */
type ThrownCode = string;

interface Declared {
  readonly file: string;
  readonly node: ts.Node;
}

/**
 * Finds the refusals that a declaration can throw, by following names through the sources without types. A method of a
 * class is followed if any code on the way calls a method of that name.
 */
export class RefusalScan {
  private readonly files = new Map<string, FileNames>();

  codesOf(file: string, name: string): Set<ThrownCode> {
    const codes = new Set<ThrownCode>();
    const methods = new Map<string, Declared[]>();
    const called = new Set<string>();
    const seen = new Set<ts.Node>();
    const queue: Declared[] = this.resolve(file, name);
    const visitMember = (owner: string, member: ts.ClassElement) => {
      const memberName = member.name?.getText() ?? 'constructor';
      const declared = { file: owner, node: member };
      if (called.has(memberName) || !ts.isMethodDeclaration(member)) queue.push(declared);
      else methods.set(memberName, [...(methods.get(memberName) ?? []), declared]);
    };
    for (let next = queue.pop(); next; next = queue.pop()) {
      if (seen.has(next.node)) continue;
      seen.add(next.node);
      if (ts.isClassDeclaration(next.node)) {
        for (const member of next.node.members) visitMember(next.file, member);
        continue;
      }
      const { file: here } = next;
      const visit = (node: ts.Node): void => {
        for (const code of codesIn(node)) codes.add(code);
        if (ts.isPropertyAccessExpression(node) || ts.isBindingElement(node)) {
          const method = (ts.isPropertyAccessExpression(node) ? node.name : (node.propertyName ?? node.name)).getText();
          called.add(method);
          for (const callee of methods.get(method) ?? []) queue.push(callee);
          methods.delete(method);
        }
        if (ts.isIdentifier(node)) queue.push(...this.resolve(here, node.text));
        if (!ts.isTypeNode(node)) ts.forEachChild(node, visit);
      };
      visit(next.node);
    }
    return codes;
  }

  private resolve(file: string, name: string): Declared[] {
    const names = this.namesIn(file);
    const own = names.declared.get(name);
    if (own) return [{ file, node: own }];
    const imported = names.imported.get(name);
    return imported ? this.resolve(imported.file, imported.name) : [];
  }

  private namesIn(file: string): FileNames {
    const names = this.files.get(file) ?? readNames(file);
    this.files.set(file, names);
    return names;
  }
}

interface FileNames {
  readonly declared: ReadonlyMap<string, ts.Node>;
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

function readNames(file: string): FileNames {
  const declared = new Map<string, ts.Node>();
  const imported = new Map<string, { file: string; name: string }>();
  for (const statement of source(file).tree.statements) {
    if (ts.isVariableStatement(statement))
      for (const each of statement.declarationList.declarations)
        if (ts.isIdentifier(each.name)) declared.set(each.name.text, each);
    if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
      declared.set(statement.name.text, statement);
    const from =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
    const path = from && ts.isStringLiteral(from) ? sourcePath(file, from.text) : null;
    if (path === null) continue;
    const elements = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : (statement as ts.ExportDeclaration).exportClause;
    if (elements && (ts.isNamedImports(elements) || ts.isNamedExports(elements)))
      for (const each of elements.elements)
        if (!each.isTypeOnly) imported.set(each.name.text, { file: path, name: (each.propertyName ?? each.name).text });
  }
  return { declared, imported };
}

function sourcePath(file: string, specifier: string): string | null {
  const isOwn = specifier.startsWith('#libs/') || specifier.startsWith('.');
  if (!isOwn) return null;
  const path = specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier));
  return path.replace(/\.js$/, '.ts');
}

/** Names of the functions that throw a refusal, and the place of the code among their arguments. */
const THROWING = new Map([
  ['Refusal', 0],
  ['rule', 1],
]);

function codesIn(node: ts.Node): ThrownCode[] {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return [];
  const at = THROWING.get(node.expression.getText());
  const code = at === undefined ? undefined : node.arguments?.[at];
  if (!code) return [];
  const status = /\bstatus: (\d{3})/.exec(node.arguments?.map(each => each.getText()).join() ?? '')?.[1];
  return literalsIn(code).map(each => (status === undefined ? each : `${each} ${status}`));
}

function literalsIn(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  return [];
}
