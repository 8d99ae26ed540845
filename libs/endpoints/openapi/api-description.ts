import type { Routes } from '#libs/http/routes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type DescribedOperation, readOperations } from './described-operation.js';
import { type OpenApiInput, buildOpenApi } from './openapi-document.js';
import { buildGuide } from './guide.js';

interface BuiltDescription {
  readonly json: string;
  readonly operations: readonly DescribedOperation[];
  /** The headings that operations stand under, in the order in which a newcomer meets them. */
  readonly tags: readonly string[];
  /** The shapes that have a name. */
  readonly schemas: { readonly [name: string]: JsonObject };
}

/** The API description, made when somebody first asks for it. */
export class ApiDescription implements BuiltDescription {
  private made: BuiltDescription | null = null;

  /** The address is known for good only once a port was taken, so it is read when the description is made. */
  constructor(
    private readonly address: Pick<OpenApiInput, 'baseUrl'>,
    /** First line of signed messages. */
    readonly messageTag: string,
    private readonly routes: Routes,
  ) {}

  /** The service's own address, without a slash at its end. */
  get baseUrl(): string {
    return this.address.baseUrl;
  }

  get json(): string {
    return this.make().json;
  }

  get operations(): readonly DescribedOperation[] {
    return this.make().operations;
  }

  get tags(): readonly string[] {
    return this.make().tags;
  }

  get schemas(): BuiltDescription['schemas'] {
    return this.make().schemas;
  }

  /** How an agent begins, signs and pays, as Markdown. */
  get guide(): string {
    return buildGuide(this.baseUrl, this.messageTag);
  }

  document(): JsonObject {
    const { messageTag, routes } = this;
    return buildOpenApi({ baseUrl: this.baseUrl, messageTag, routes });
  }

  private make(): BuiltDescription {
    if (this.made) return this.made;
    const document = this.document();
    const { tags, components } = document as unknown as {
      readonly tags: readonly { readonly name: string }[];
      readonly components: Pick<BuiltDescription, 'schemas'>;
    };
    this.made = {
      json: JSON.stringify(document),
      operations: readOperations(document),
      tags: tags.map(({ name }) => name),
      schemas: components.schemas,
    };
    return this.made;
  }
}
