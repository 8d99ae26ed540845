import type { JsonObject } from '#libs/kernel/json.js';
import { Inline } from './docs/prose.js';
import { SchemaSummary, memberRows, Rows } from './docs/schema.js';
import { Link } from './elements/links.js';
import { page } from './shell/page.js';

/** The shapes of requests and answers that have a name, each at an anchor of its own. */
export const shapesPage = page('shapes', {
  path: '/docs/shapes',
  isFixed: true,
  load: async (_given, { api }) => api.schemas,
  head: () => ({
    title: 'Shapes',
    description: 'What stands in several answers: the members of each shape by its name.',
  }),
  render: schemas => (
    <>
      <p class="quiet">
        <Link to="/docs">API</Link>
      </p>
      <h1>Shapes</h1>
      <p class="lead">What stands in several requests or answers, by its name.</p>
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
