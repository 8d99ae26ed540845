import type { JsonObject } from '#libs/kernel/json.js';
import { Inline } from './docs/prose.js';
import { SchemaSummary, memberRows, Rows } from './docs/schema.js';
import { Link } from './elements/links.js';
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
    <>
      <p class="quiet">
        <Link to="/docs">API</Link>
      </p>
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
    </>
  ),
});

const Shape = ({ schema }: { readonly schema: JsonObject }) =>
  schema['properties'] ? (
    <Rows name="Member" of={memberRows(schema, 'always')} />
  ) : (
    <p>
      <SchemaSummary schema={schema} />
    </p>
  );
