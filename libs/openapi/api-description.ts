import type { Routes } from '#libs/http/routes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type Described, openApi } from './document.js';
import { docsPage } from './page.js';

/** The API description and its page, made when somebody first asks for them. */
export class ApiDescription {
  private made: { readonly json: string; readonly page: string } | null = null;

  /** The address is known for good only once a port was taken, so it is read when the description is made. */
  constructor(
    private readonly address: Pick<Described, 'baseUrl'>,
    private readonly messageTag: string,
    private readonly routes: Routes,
  ) {}

  get json(): string {
    return this.make().json;
  }

  get page(): string {
    return this.make().page;
  }

  document(): JsonObject {
    const { messageTag, routes } = this;
    return openApi({ baseUrl: this.address.baseUrl, messageTag, routes });
  }

  private make() {
    if (this.made) return this.made;
    const document = this.document();
    this.made = { json: JSON.stringify(document), page: docsPage(document) };
    return this.made;
  }
}
