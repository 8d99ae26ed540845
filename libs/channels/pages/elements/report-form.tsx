import { REPORT_REASONS, type ReportableField } from '#libs/features/moderation/domain/report.js';
import { capitalise } from '#libs/kernel/capitalise.js';
import { Action } from './action.js';

const REASONS = REPORT_REASONS.map(reason => [reason, capitalise(reason)] as const);
const HINT = 'Only the operator of this service can read it. Needed for the reason Other.';

interface ReportFormProps {
  readonly thing: { readonly [field in ReportableField]?: string };
  /** Agent that the thing is of, which does not see the form. */
  readonly owner: string | null;
}

/** Reports a thing to the operator. */
export const ReportForm = ({ thing, owner }: ReportFormProps) => (
  <Action
    operation="report"
    fixed={thing}
    {...(owner !== null && { except: [owner] })}
    summary="Report"
    inputs={[
      { name: 'reason', label: 'Reason', options: REASONS },
      { name: 'text', label: 'Comment', hint: HINT, kind: 'area' },
    ]}
    button="Send the report"
    done="The operator has your report."
  />
);
