import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { PAGE_PATHS, INVALID_FIELD } from '#libs/kernel/page-paths.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import type { DescribedOperation, Parameter } from '#libs/endpoints/openapi/described-operation.js';
import { Link } from '#libs/channels/pages/elements/links.js';
import { Section, Table } from '#libs/channels/pages/elements/lists.js';
import { Inline } from './prose.js';
import { SchemaSummary, memberRows, type MemberRow, MemberTable, partsOf } from './schema.js';

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
          {fields.length === 0 ? <p>No fields.</p> : <MemberTable name="Field" of={addExamples(fields, example)} />}
          {shared.map(schema => (
            <p key={schema['$ref'] as string} class="quiet">
              A signed body also has the fields of <SchemaSummary schema={schema} />.
            </p>
          ))}
        </Section>
      )}
      {parameters.length > 0 && (
        <Section title="Parameters" id="parameters">
          <MemberTable name="Parameter" of={parameters.map(rowOf)} />
        </Section>
      )}
    </>
  );
}

const addExamples = (rows: readonly MemberRow[], example: { readonly [name: string]: string } = {}): MemberRow[] =>
  rows.map(row => (Object.hasOwn(example, row.name) ? { ...row, example: example[row.name]! } : row));

const rowOf = ({ name, in: place, required, description, schema, example }: Parameter): MemberRow => ({
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
        <MemberTable name="Member" of={memberRows(answer.schema, 'always')} />
      </>
    ) : (
      <p>
        Status 200, <code>{answer.type}</code>.
      </p>
    )}
    {answer.example !== undefined && (
      <details>
        <summary>Example</summary>
        <pre tabIndex={0}>{JSON.stringify(answer.example, null, INDENT)}</pre>
      </details>
    )}
  </Section>
);

export const Refusals = ({ of: { codes, refusesFields } }: SectionProps) => (
  <Section title="Refusals" id="refusals" all="/docs/errors">
    <Table
      class="members"
      head={['Code', 'Means', 'What to do']}
      rows={[
        ...(refusesFields ? [refusalRow(400, INVALID_FIELD, 'the name of a field', FIELD_REFUSAL)] : []),
        ...[...codes]
          .sort((a, b) => ERROR_CODES[a][0] - ERROR_CODES[b][0])
          .map(code => refusalRow(ERROR_CODES[code][0], code, code, [ERROR_CODES[code][2], REMEDIES[code]])),
      ]}
    />
  </Section>
);

const FIELD_REFUSAL = ['This field is wrong.', 'Correct all fields in `fields` and send the request again.'] as const;

const refusalRow = (
  status: number,
  anchor: string,
  name: string,
  texts: readonly [meaning: string, remedy: string],
) => [
  <>
    {status} <Link to={PAGE_PATHS.error(anchor)}>{name}</Link>
  </>,
  ...texts.map(text => <Inline key={text} text={text} />),
];
