import { isPythonName } from '#libs/endpoints/operation.js';
import { SHAPE_NAME } from '#libs/values/answer-schema.js';
import type { Members, Schema } from './typescript.js';

const COLUMNS_MAX = 110;
const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

function wrapText(text: string, indent: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 1 + word.length <= COLUMNS_MAX)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map(line => ' '.repeat(indent) + line);
}

const escapeDocstring = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');

/** Formats a docstring with a list of items. */
export function docstring(text: string, indent: number, items: readonly string[] = []): string {
  const space = ' '.repeat(indent);
  const line = `${space}"""${escapeDocstring(text)}"""`;
  if (items.length === 0 && line.length <= COLUMNS_MAX) return line;
  const listed = items.flatMap(item => wrapText(`- ${escapeDocstring(item)}`, indent));
  const lines = [...wrapText(escapeDocstring(text), indent), ...(items.length > 0 ? ['', ...listed] : [])];
  return [`${space}"""`, ...lines, `${space}"""`].join('\n');
}

/** Puts a call or definition on one line, or each part on its own line. */
export function spread(before: string, parts: readonly string[], after: string, indent = 0): string {
  const space = ' '.repeat(indent);
  const line = `${space}${before}${parts.join(', ')}${after}`;
  if (line.length <= COLUMNS_MAX) return line;
  return [`${space}${before}`, ...parts.map(part => `${space}    ${part},`), `${space}${after}`].join('\n');
}

const literal = (values: readonly unknown[]) => `Literal[${values.map(toLiteral).join(', ')}]`;
const toLiteral = (value: unknown) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value));

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly comment?: string | undefined;
}

/** Writes schemas as Python. An object with known members becomes a TypedDict named after its place. */
export class PythonTypes {
  private readonly declared = new Map<string, string>();

  /** `name` is used for parts of the schema without a name of their own. */
  typeOf(schema: object, name: string): string {
    const { [SHAPE_NAME]: shapeName, ...plain } = schema as Schema;
    if (shapeName === undefined) return this.plain(plain, name);
    if (!this.declared.has(shapeName)) {
      this.declared.set(shapeName, '');
      if (plain.properties) this.declare(shapeName, this.members(plain, shapeName));
      else
        this.declared.set(
          shapeName,
          spread(`${shapeName}: TypeAlias = (`, [JSON.stringify(this.plain(plain, shapeName))], ')'),
        );
    }
    return shapeName;
  }

  members({ properties = {}, required = [] }: Members, of: string): Member[] {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      type: this.typeOf(schema, of + pascal(name)),
      isNeeded: required.includes(name),
      comment: schema.description,
    }));
  }

  /** Two declarations may share a name only if they are equal. */
  declare(name: string, members: readonly Member[]): string {
    const text = members.every(member => isPythonName(member.name)) ? asClass(name, members) : asCall(name, members);
    const existing = this.declared.get(name);
    if (existing && existing !== text) throw new Error(`Two different shapes are called ${name}.`);
    this.declared.delete(name);
    this.declared.set(name, text);
    return name;
  }

  declarations(): string {
    return [...this.declared.values()].join('\n\n\n');
  }

  private plain(schema: Schema, name: string): string {
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum) return enumType(schema.enum);
    if (schema.anyOf) return schema.anyOf.map(each => this.typeOf(each, name)).join(' | ');
    if (Array.isArray(schema.type)) return schema.type.map(type => this.plain({ ...schema, type }, name)).join(' | ');
    switch (schema.type) {
      case 'object':
        return this.object(schema, name);
      case 'array':
        return `list[${this.typeOf(schema.items ?? {}, name)}]`;
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      default:
        return 'Json';
    }
  }

  private object(schema: Schema, name: string): string {
    const { properties, additionalProperties } = schema;
    if (properties && Object.keys(properties).length > 0) return this.declare(name, this.members(schema, name));
    return `dict[str, ${typeof additionalProperties === 'object' ? this.typeOf(additionalProperties, name) : 'Json'}]`;
  }
}

function enumType(values: readonly (string | null)[]): string {
  const type = literal(values.filter(value => value !== null));
  return values.includes(null) ? `${type} | None` : type;
}

const typeOf = ({ type, isNeeded }: Member) => (isNeeded ? type : `NotRequired[${type}]`);

function asClass(name: string, members: readonly Member[]): string {
  const lines = members.flatMap(member => [
    `    ${member.name}: ${typeOf(member)}`,
    ...(member.comment ? [docstring(member.comment, 4)] : []),
  ]);
  return [`class ${name}(TypedDict):`, ...(lines.length > 0 ? lines : ['    pass'])].join('\n');
}

/** A member whose name is not a Python name needs the functional form of TypedDict. */
function asCall(name: string, members: readonly Member[]): string {
  const rows = members.flatMap(member => [
    ...(member.comment ? wrapText(member.comment, 0).map(line => `        # ${line}`) : []),
    `        ${JSON.stringify(member.name)}: ${JSON.stringify(typeOf(member))},`,
  ]);
  return [`${name} = TypedDict(`, `    "${name}",`, '    {', ...rows, '    },', ')'].join('\n');
}
