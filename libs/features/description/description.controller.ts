import { Controller, Header } from '@nestjs/common';
import { Read } from '#libs/http/routes.js';
import { ApiDescription } from '#libs/openapi/api-description.js';
import { DOCS, OPENAPI } from './description.answers.js';

@Controller()
export class DescriptionController {
  constructor(private readonly description: ApiDescription) {}

  @Read('openapi.json', { bare: true, describe: OPENAPI })
  @Header('content-type', 'application/json; charset=utf-8')
  openapi() {
    return this.description.json;
  }

  @Read('docs', { bare: true, describe: DOCS })
  @Header('content-type', 'text/html; charset=utf-8')
  docs() {
    return this.description.page;
  }
}
