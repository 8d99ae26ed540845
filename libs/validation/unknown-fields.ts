import { FIELD_FAULTS_MAX, type FieldFault } from '#libs/kernel/field-faults.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { shortenName } from './unknown-parameters.js';

export function describeUnknownField(name: string, more = ''): FieldFault {
  const field = shortenName(name);
  return { field, reason: 'unknown_field', error: `This endpoint has no field \`${field}\`.${more}` };
}

export function refuseAsUnknown(unknown: readonly FieldFault[], others: readonly FieldFault[] = []): never {
  const faults = [...unknown, ...others].slice(0, FIELD_FAULTS_MAX);
  const [{ field, error }] = faults as [FieldFault];
  throw new Refusal('unknown_field', error, { field, faults });
}

/** An auditor could not tell such a request from one whose signature the service withholds. */
export function refuseHidingFields(undeclared: readonly string[], privateFields: ReadonlySet<string>): void {
  const hiding = undeclared.filter(name => privateFields.has(name));
  if (hiding.length === 0) return;
  refuseAsUnknown(hiding.map(name => describeUnknownField(name, ' It would hide your signature from auditors.')));
}
