import type { FieldFault } from '#libs/kernel/field-faults.js';
import { createElement } from '#libs/channels/pages/scripts/dom.js';

const ATTRIBUTE = 'aria-invalid';

export function clearFaults(form: HTMLFormElement): void {
  form.querySelectorAll('.fault').forEach(fault => fault.remove());
  form.querySelectorAll(`[${ATTRIBUTE}]`).forEach(input => input.removeAttribute(ATTRIBUTE));
}

/** Marks the wrong inputs under their labels. Returns them. */
export function markFaults(form: HTMLFormElement, faults: readonly FieldFault[]): readonly HTMLElement[] {
  return faults.flatMap(({ field, error }, at) => {
    const input = form.elements.namedItem(field);
    if (!(input instanceof HTMLElement)) return [];
    // The label names the field, so its name in the API would repeat it.
    const name = `\`${field}\``;
    const sentence = error.startsWith(name) ? `This${error.slice(name.length)}` : error;
    const fault = createElement('span', sentence, { className: 'fault', id: `fault-${at}-${field}` });
    input.setAttribute(ATTRIBUTE, 'true');
    input.setAttribute('aria-describedby', fault.id);
    input.before(fault);
    input.closest('details')?.setAttribute('open', '');
    return [input];
  });
}
