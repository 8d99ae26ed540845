import type { ComponentChild } from 'preact';

export interface FieldSpec {
  /** Name of the field in the API. */
  readonly name: string;
  readonly label: string;
  /** Shown under the label. */
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Folded under "More options". */
  readonly isRare?: boolean;
  /** Maximum of the number or characters. In an `Action` it follows from the field of the operation. */
  readonly max?: number;
  readonly value?: string | undefined;
  /** `area`: several lines. `money`: US dollars. `count`: a positive integer. `wallet`: an address, with buttons. */
  readonly kind?: 'line' | 'area' | 'money' | 'count' | 'url' | 'search' | 'date' | 'wallet';
  /** Values and labels of a choice. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Suggestions, as the id of a `datalist`. */
  readonly list?: string;
}

/** Asks for the address that receives wages. */
export const payoutInput = (hint: string, isRequired = true): FieldSpec => ({
  name: 'payout_address',
  label: 'Payout address',
  kind: 'wallet',
  hint,
  isRequired,
});

const AREA_ROWS = 4;

function control({ name, isRequired = false, max, value, kind = 'line', options, list }: FieldSpec): ComponentChild {
  const shared = { name, required: isRequired, autocomplete: 'off' };
  if (options)
    return (
      <select {...shared}>
        {options.map(([each, label]) => (
          <option key={each} value={each} selected={each === value}>
            {label}
          </option>
        ))}
      </select>
    );
  switch (kind) {
    case 'area':
      return (
        <textarea {...shared} rows={AREA_ROWS} maxLength={max}>
          {value}
        </textarea>
      );
    case 'money':
      return <input {...shared} inputMode="decimal" pattern="[0-9]{1,12}(\.[0-9]{1,6})?" value={value} />;
    case 'count':
      return <input {...shared} type="number" min="1" max={max} value={value} />;
    case 'url':
      return <input {...shared} type="url" maxLength={max} value={value} list={list} />;
    case 'search':
      return <input type="search" name={name} maxLength={max} value={value ?? ''} />;
    case 'date':
      return <input {...shared} type="date" value={value} />;
    case 'wallet':
      return <input {...shared} maxLength={max} value={value} spellcheck={false} data-wallet />;
    case 'line':
      return <input {...shared} maxLength={max} value={value} list={list} />;
  }
}

/** A labelled input. `scripts/actions` shows a refusal of the field under its label. */
export const Field = (spec: FieldSpec) => (
  <label>
    <span>
      {spec.label}
      {spec.isRequired && (
        <span class="needed" title="required" aria-hidden="true">
          {' '}
          *
        </span>
      )}
    </span>
    {spec.hint && <small>{spec.hint}</small>}
    {control(spec)}
  </label>
);
