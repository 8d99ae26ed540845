/** Reasons of field faults. Clients branch on these words, so they never change. */
export const FAULT_REASONS = {
  missing: 'The field is required, but missing or empty.',
  too_short: 'The text has too few characters or words.',
  too_long: 'The text has too many characters.',
  too_many: 'The list has too many entries.',
  not_text: 'The value is not a string.',
  not_a_number: 'The text is not a whole number in digits.',
  out_of_range: 'The number or time is below the minimum or above the maximum.',
  unknown_value: 'The text is not one of the allowed words.',
  forbidden_characters:
    'The text has control characters, invisible tag characters, forbidden line breaks, half of a surrogate pair, or no visible character.',
  malformed: 'The text does not have the format of such a value.',
  repeated: 'The field or header was sent more than once.',
  conflicting: 'The field contradicts another field.',
  not_allowed: 'The value is well formed, but not allowed here: the error says why.',
  unknown_field: 'The endpoint does not have this field; it may be a misspelt one.',
} as const;

export type Reason = keyof typeof FAULT_REASONS;

export interface FieldFault {
  readonly field: string;
  readonly reason: Reason;
  readonly error: string;
}

export const FIELD_FAULTS_MAX = 50;
