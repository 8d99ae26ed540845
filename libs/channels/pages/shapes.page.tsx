import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { contentsOf, DocsLayout } from './docs/docs-layout.js';
import { Inline } from './docs/prose.js';
import { SchemaSummary, memberRows, MemberTable, partsOf } from './docs/schema.js';
import { page } from './shell/page.js';

export const shapesPage = page('shapes', {
  path: '/docs/shapes',
  isFixed: true,
  load: async (_given, { api }) => api.schemas,
  head: () => ({
    title: 'Shapes',
    description: 'Shapes that several requests or answers share, with their members.',
  }),
  render: schemas => (
    <DocsLayout path={PAGE_PATHS.shapes} contents={contentsOf(PAGE_PATHS.shapes, Object.keys(schemas))}>
      <h1>Shapes</h1>
      <p class="lead">Shapes that several requests or answers share.</p>
      {Object.entries(schemas).map(([name, schema]) => (
        <section key={name} id={name}>
          <h2>{name}</h2>
          {typeof schema['description'] === 'string' && (
            <p>
              <Inline text={schema['description']} />
            </p>
          )}
          <Shape schema={schema} />
        </section>
      ))}
    </DocsLayout>
  ),
});

function Shape({ schema }: { readonly schema: JsonObject }) {
  const rows = partsOf(schema).flatMap(part => memberRows(part, 'always'));
  if (rows.length > 0) return <MemberTable name="Member" of={rows} />;
  return (
    <p>
      <SchemaSummary schema={schema} />
    </p>
  );
}
