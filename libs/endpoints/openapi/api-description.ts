import type { Routes } from '#libs/http/routes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type DescribedOperation, readOperations } from './described-operation.js';
import { type OpenApiInput, buildOpenApi } from './openapi-document.js';
import { buildGuide } from './guide.js';

interface BuiltDescription {
  readonly json: string;
  readonly operations: readonly DescribedOperation[];
  readonly tags: readonly string[];
  readonly schemas: { readonly [name: string]: JsonObject };
}

export class ApiDescription implements BuiltDescription {
  private built: BuiltDescription | null = null;

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
    return this.build().json;
  }

  get operations(): readonly DescribedOperation[] {
    return this.build().operations;
  }

  get tags(): readonly string[] {
    return this.build().tags;
  }

  get schemas(): BuiltDescription['schemas'] {
    return this.build().schemas;
  }

  get guide(): string {
    return buildGuide(this.baseUrl, this.messageTag);
  }

  document(): JsonObject {
    const { messageTag, routes } = this;
    return buildOpenApi({ baseUrl: this.baseUrl, messageTag, routes });
  }

  private build(): BuiltDescription {
    if (this.built) return this.built;
    const document = this.document();
    const { tags, components } = document as unknown as {
      readonly tags: readonly { readonly name: string }[];
      readonly components: Pick<BuiltDescription, 'schemas'>;
    };
    this.built = {
      json: JSON.stringify(document),
      operations: readOperations(document),
      tags: tags.map(({ name }) => name),
      schemas: components.schemas,
    };
    return this.built;
  }
}
