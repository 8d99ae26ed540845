import type { Routes } from '#libs/http/routes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type DescribedOperation, readOperations } from './described-operation.js';
import { type OpenApiInput, buildOpenApi } from './openapi-document.js';
import { buildGuide } from './guide.js';

export class ApiDescription {
  private built: ReturnType<typeof readDescription> | undefined;

  /** `baseUrl` is final only once a port is bound, so it is read lazily. */
  constructor(
    private readonly address: Pick<OpenApiInput, 'baseUrl'>,
    readonly messageTag: string,
    private readonly routes: Routes,
  ) {}

  get baseUrl(): string {
    return this.address.baseUrl;
  }

  get json(): string {
    return this.read().json;
  }

  get operations(): readonly DescribedOperation[] {
    return this.read().operations;
  }

  get tags(): readonly string[] {
    return this.read().tags;
  }

  /** Without answers, which belong to one operation. */
  get schemas(): { readonly [name: string]: JsonObject } {
    return this.read().schemas;
  }

  get guide(): string {
    return buildGuide(this.baseUrl, this.messageTag);
  }

  document(): JsonObject {
    const { baseUrl, messageTag, routes } = this;
    return buildOpenApi({ baseUrl, messageTag, routes });
  }

  private read() {
    return (this.built ??= readDescription(this.document()));
  }
}

function readDescription(document: JsonObject) {
  const { tags, components } = document as unknown as {
    readonly tags: readonly { readonly name: string }[];
    readonly components: { readonly schemas: { readonly [name: string]: JsonObject } };
  };
  const operations = readOperations(document);
  const answers = new Set(operations.map(({ answer }) => answer.schema));
  const shared = Object.entries(components.schemas).filter(([, schema]) => !answers.has(schema));
  return {
    json: JSON.stringify(document),
    operations,
    tags: tags.map(({ name }) => name),
    schemas: Object.fromEntries(shared),
  };
}
