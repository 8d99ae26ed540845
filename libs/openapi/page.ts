import type { JsonObject } from '#libs/kernel/json.js';
import { anchor, escape, inline, markdown } from './markdown.js';
import { type Found, operationsOf, operationSection } from './page.operation.js';
import { constraints, membersTable } from './page.schema.js';
import { STYLE } from './page.style.js';

/** The description as one page that needs nothing else: no script, no other file, no other host. */
export function docsPage(document: JsonObject): string {
  const { info, tags, components } = document as unknown as {
    info: { title: string; version: string; description: string };
    tags: { name: string }[];
    components: { schemas: { [name: string]: JsonObject } };
  };
  const operations = operationsOf(document);
  const groups = tags.map(({ name }) => ({ name, operations: operations.filter(each => each.tag === name) }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)} ${escape(info.version)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav>
<p><strong>${escape(info.title)}</strong> <small>${escape(info.version)}</small></p>
<p><a href="/openapi.json">openapi.json</a></p>
${navigation(info.description)}
${groups.map(navigationGroup).join('\n')}
<p><a href="#schemas">Schemas</a></p>
</nav>
<main>
<h1>${escape(info.title)}</h1>
${markdown(info.description)}
${groups.map(({ name, operations }) => `<h2 id="tag-${anchor(name)}">${escape(name)}</h2>${operations.map(operationSection).join('\n')}`).join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(schemaSection).join('\n')}
</main>
</body>
</html>
`;
}

function navigation(description: string): string {
  const headings = [...description.matchAll(/^## (.+)$/gm)].map(([, text]) => text!);
  return `<ul>${headings.map(text => `<li><a href="#${anchor(text)}">${escape(text)}</a></li>`).join('')}</ul>`;
}

function navigationGroup({ name, operations }: { name: string; operations: readonly Found[] }): string {
  const links = operations.map(
    ({ id, method, path }) => `<li><a href="#${id}"><b class="${method}">${method}</b> ${escape(path)}</a></li>`,
  );
  return `<p><a href="#tag-${anchor(name)}">${escape(name)}</a></p><ul>${links.join('')}</ul>`;
}

function schemaSection([name, schema]: [string, JsonObject]): string {
  const description = typeof schema['description'] === 'string' ? `<p>${inline(schema['description'])}</p>` : '';
  const body = schema['properties'] ? membersTable(schema) : `<p>${constraints(schema)}</p>`;
  return `<section id="schema-${name}"><h3>${escape(name)}</h3>${description}${body}</section>`;
}
