import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS, INVALID_FIELD } from '#libs/kernel/page-paths.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import type { DescribedOperation, Parameter } from '#libs/endpoints/openapi/described-operation.js';
import { Link } from '../elements/links.js';
import { Section } from '../elements/lists.js';
import { Inline } from './prose.js';
import { SchemaSummary, memberRows, type Row, Rows } from './schema.js';

interface SectionProps {
  readonly of: DescribedOperation;
}

export function Request({ of: { parameters, request } }: SectionProps) {
  const parts = request === null ? [] : partsOf(request.schema);
  const fields = parts.flatMap(part => memberRows(part, 'required'));
  const shared = parts.filter(part => part['$ref'] !== undefined);
  const example = request?.example as { readonly [name: string]: string } | undefined;
  return (
    <>
      {request !== null && (
        <Section title="Fields" id="fields">
          <p class="quiet">One JSON object whose values are all texts.</p>
          {fields.length === 0 ? <p>No fields.</p> : <Rows name="Field" of={addExamples(fields, example)} />}
          {shared.map(schema => (
            <p key={schema['$ref'] as string} class="quiet">
              A signed body also has the fields of <SchemaSummary schema={schema} />.
            </p>
          ))}
        </Section>
      )}
      {parameters.length > 0 && (
        <Section title="Parameters" id="parameters">
          <Rows name="Parameter" of={parameters.map(rowOf)} />
        </Section>
      )}
    </>
  );
}

const partsOf = (schema: JsonObject): JsonObject[] => (schema['allOf'] as JsonObject[] | undefined) ?? [schema];

const addExamples = (rows: readonly Row[], example: { readonly [name: string]: string } = {}): Row[] =>
  rows.map(row => (Object.hasOwn(example, row.name) ? { ...row, example: example[row.name]! } : row));

const rowOf = ({ name, in: place, required, description, schema, example }: Parameter): Row => ({
  name,
  note: required ? `${place}, required` : place,
  schema,
  ...(description !== undefined && { description }),
  ...(example !== undefined && { example: String(example) }),
});

const INDENT = 2;

export const Answer = ({ of: { answer } }: SectionProps) => (
  <Section title="Answer" id="answer">
    {answer.schema['properties'] ? (
      <>
        <p class="quiet">
          Status 200, <code>{answer.type}</code>.
        </p>
        <Rows name="Member" of={memberRows(answer.schema, 'always')} />
      </>
    ) : (
      <p>
        Status 200, <code>{answer.type}</code>.
      </p>
    )}
    {answer.example !== undefined && (
      <details>
        <summary>Example</summary>
        <pre class="wrapped">{JSON.stringify(answer.example, null, INDENT)}</pre>
      </details>
    )}
  </Section>
);

export const Refusals = ({ of: { codes, refusesFields } }: SectionProps) => (
  <Section title="Refusals" id="refusals" all="/docs/errors">
    <table class="members">
      <thead>
        <tr>
          <th scope="col">Code</th>
          <th scope="col">Means</th>
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        {refusesFields && (
          <tr>
            <td>
              400 <Link to={PAGE_PATHS.error(INVALID_FIELD)}>the name of a field</Link>
            </td>
            <td>This field is wrong.</td>
            <td>
              Correct all fields in <code>fields</code> and send the request again.
            </td>
          </tr>
        )}
        {[...codes]
          .sort((a, b) => ERROR_CODES[a][0] - ERROR_CODES[b][0])
          .map(code => (
            <tr key={code}>
              <td>
                {ERROR_CODES[code][0]} <Link to={PAGE_PATHS.error(code)}>{code}</Link>
              </td>
              <td>
                <Inline text={ERROR_CODES[code][2]} />
              </td>
              <td>
                <Inline text={REMEDIES[code]} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  </Section>
);
