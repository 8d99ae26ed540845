import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { INVALID_FIELD } from '#libs/kernel/problem-type.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import type { DescribedOperation, Parameter } from '#libs/endpoints/openapi/described-operation.js';
import { Link } from '../elements/links.js';
import { Section } from '../elements/lists.js';
import { Inline } from './prose.js';
import { SchemaSummary, memberRows, type Row, Rows } from './schema.js';

interface SectionProps {
  readonly of: DescribedOperation;
}

/** What a request holds: parameters of its address, header fields, and the fields of its body. */
export function Request({ of: { parameters, request } }: SectionProps) {
  const parts = request === null ? [] : partsOf(request.schema);
  const fields = parts.flatMap(part => memberRows(part, 'needed'));
  const shared = parts.filter(part => part['$ref'] !== undefined);
  const example = request?.example as { readonly [name: string]: string } | undefined;
  return (
    <>
      {request !== null && (
        <Section title="Fields" id="fields">
          <p class="quiet">One JSON object, in which every value is a text.</p>
          {fields.length === 0 ? (
            <p>It has none of its own.</p>
          ) : (
            <Rows name="Field" of={addExamples(fields, example)} />
          )}
          {shared.map(schema => (
            <p key={schema['$ref'] as string} class="quiet">
              Signed, the body holds the fields of <SchemaSummary schema={schema} /> too.
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
  note: required ? `${place}, needed` : place,
  schema,
  ...(description !== undefined && { description }),
  ...(example !== undefined && { example: String(example) }),
});

const INDENT = 2;

/** What is answered where nothing is refused. */
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
        <summary>An example of it</summary>
        <pre class="wrapped">{JSON.stringify(answer.example, null, INDENT)}</pre>
      </details>
    )}
  </Section>
);

/** Every code that it is refused by, and what to do about each. */
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
              Mend all that <code>fields</code> names, and send the request again.
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
