import { ERRORS_PATH, INVALID_FIELD } from '#libs/kernel/page-paths.js';
import { FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { codeRows } from '#libs/endpoints/openapi/error-schemas.js';
import { contentsOf, DocsLayout } from './docs/docs-layout.js';
import { Inline } from './docs/prose.js';
import { Table } from './elements/lists.js';
import { page } from './shell/page.js';

type Code = ReturnType<typeof codeRows>[number];

/** Each code has an anchor, which is the `type` of its RFC 9457 document. */
export const errorsPage = page('errors', {
  path: ERRORS_PATH,
  isFixed: true,
  load: async () => {
    const rows = codeRows();
    const statuses = [...new Set(rows.map(({ status }) => status))];
    return statuses.map(status => ({ status, codes: rows.filter(row => row.status === status) }));
  },
  head: () => ({ title: 'Errors', description: 'All error codes: what they mean and what to do.' }),
  render: byStatus => (
    <DocsLayout path={ERRORS_PATH} contents={contentsOfErrors(byStatus)}>
      <h1>Errors</h1>
      <p>
        Every error is <code>{'{ok: false, error, code, retryable}'}</code>. <code>code</code> is one of these, or the
        name of a wrong field. With <code>accept: application/problem+json</code> you get an RFC 9457 document, whose{' '}
        <code>type</code> is the address of the code on this page: <code>{`${ERRORS_PATH}#<code>`}</code>.
      </p>
      <h2>A wrong field</h2>
      <FieldErrorSection />
      {byStatus.map(({ status, codes }) => (
        <div key={status}>
          <h2 id={`status-${status}`}>{status}</h2>
          {codes.map(CodeSection)}
        </div>
      ))}
    </DocsLayout>
  ),
});

const contentsOfErrors = (byStatus: readonly { readonly status: number; readonly codes: readonly Code[] }[]) =>
  byStatus.map(({ status, codes }) => ({
    to: `${ERRORS_PATH}#status-${status}` as const,
    text: String(status),
    below: contentsOf(
      ERRORS_PATH,
      codes.map(({ code }) => code),
    ),
  }));

const CodeSection = ({ code, status, retryable, meaning, remedy }: Code) => (
  <section key={code} id={code}>
    <h3>{code}</h3>
    <p>
      <Inline text={meaning} />
    </p>
    <p>
      <strong>What to do:</strong> <Inline text={remedy} />
    </p>
    <p class="quiet">{`Status ${status}. The same request ${retryable ? 'can' : 'cannot'} succeed later.`}</p>
  </section>
);

const FieldErrorSection = () => (
  <section id={INVALID_FIELD}>
    <h3>The name of a field</h3>
    <p>
      A 400 about fields has the name of the first wrong field as its code and in <code>field</code>.{' '}
      <code>reason</code> says what is wrong with it. <code>fields</code> lists all wrong fields, each with its reason
      and a sentence.
    </p>
    <p>
      <strong>What to do:</strong> Correct all fields in <code>fields</code> and send the request again.
    </p>
    <p class="quiet">Status 400. The same request cannot succeed later.</p>
    <Table
      head={['reason', 'what is wrong']}
      rows={Object.entries(FAULT_REASONS).map(([reason, meaning]) => [
        <code key={reason} id={`reason-${reason}`}>
          {reason}
        </code>,
        meaning,
      ])}
    />
  </section>
);
