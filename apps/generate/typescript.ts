import { SHAPE_NAME } from '#libs/values/answer-schema.js';

/** Subset of JSON Schema that answers and field checks use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly [SHAPE_NAME]?: string;
}

export type Members = Pick<Schema, 'properties' | 'required'>;

/** Writes schemas as TypeScript. Named shapes become interfaces. */
export class TypeScriptTypes {
  private readonly interfaces = new Map<string, string>();

  typeOf(schema: object): string {
    const { [SHAPE_NAME]: name, ...plain } = schema as Schema;
    if (name === undefined) return this.plain(plain);
    if (!this.interfaces.has(name)) {
      this.interfaces.set(name, '');
      this.interfaces.set(name, this.declare(name, plain));
    }
    return name;
  }

  members({ properties = {}, required = [] }: Members): string {
    const lines = Object.entries(properties).map(([name, schema]) => {
      const comment = schema.description ? `/** ${schema.description} */\n` : '';
      return `${comment}readonly ${quoteName(name)}${required.includes(name) ? '' : '?'}: ${this.typeOf(schema)};`;
    });
    return lines.join('\n');
  }

  declarations(): string {
    return [...this.interfaces.values()].join('\n\n');
  }

  private declare(name: string, schema: Schema): string {
    if (schema.properties) return `export interface ${name} {\n${this.members(schema)}\n}`;
    return `export type ${name} = ${this.plain(schema)};`;
  }

  private plain(schema: Schema): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map(each => JSON.stringify(each)).join(' | ');
    if (schema.anyOf) return schema.anyOf.map(each => this.typeOf(each)).join(' | ');
    if (Array.isArray(schema.type)) return schema.type.map(type => this.plain({ ...schema, type })).join(' | ');
    switch (schema.type) {
      case 'object':
        return this.object(schema);
      case 'array':
        return `readonly (${this.typeOf(schema.items ?? {})})[]`;
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      default:
        return 'Json';
    }
  }

  private object(schema: Schema): string {
    const { properties, additionalProperties } = schema;
    if (properties && Object.keys(properties).length > 0) return `{ ${this.members(schema)} }`;
    if (typeof additionalProperties === 'object')
      return `{ readonly [name: string]: ${this.typeOf(additionalProperties)} }`;
    return '{ readonly [name: string]: Json }';
  }
}

const quoteName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
