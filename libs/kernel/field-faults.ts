/**
 * What is wrong with a field of a request, in one word. These words are for ever: a program chooses by them what to
 * mend. `code` of such a refusal is the field's name.
 */
export const FAULT_REASONS = {
  missing: 'The field is needed, and was left out or is empty.',
  too_short: 'The text has fewer characters, or fewer words, than it must have.',
  too_long: 'The text has more characters than it may have.',
  too_many: 'The list names more than it may name.',
  not_text: 'The value is a list, an object, or no string where only strings are taken.',
  not_a_number: 'The text is no number of digits alone.',
  out_of_range: 'The number or time is below the least or above the most that is taken.',
  unknown_value: 'The text is none of the words that are taken here.',
  forbidden_characters:
    'The text holds control characters, invisible tag characters, line ends where it is one line, half of a character, or no visible character.',
  malformed: 'The text is not written as such a value is written.',
  repeated: 'The field or header stands more than once.',
  conflicting: 'The field does not go with what another field says.',
  not_allowed: 'The value is written rightly, and is refused here: the sentence says why.',
  unknown_field: 'There is no field of this name here, and it looks like a misspelt one that was left out.',
} as const;

export type Reason = keyof typeof FAULT_REASONS;

/** What is wrong with one field. */
export interface FieldFault {
  /** The field or header as the request names it. */
  readonly field: string;
  readonly reason: Reason;
  /** A sentence for a person. */
  readonly error: string;
}

/** How many wrong fields one refusal names. */
export const FIELD_FAULTS_MAX = 50;
